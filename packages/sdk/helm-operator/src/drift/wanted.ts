import type { KubeObject, Resource } from "@operator-path/client";
import { isJsonObject, type JsonObject, own, put } from "../json.ts";

/** The release that an object belongs to. */
export interface ReleaseKey {
  readonly name: string;
  /** The namespace of its Secrets, and of its objects that name no other. */
  readonly namespace: string;
}

/** The wanted object, in the forms that are needed. */
export interface Wanted {
  readonly resource: Resource;
  /** As helm sends it. */
  readonly sent: KubeObject;
  /** As the server stores it. */
  readonly stored: JsonObject;
  /** The object of the previous manifest, as the server stores it. */
  readonly previous: JsonObject | undefined;
}

/**
 * Returns an object of a manifest as helm sends it: in its namespace, with the labels and annotations that
 * mark it as part of the release (helm: setMetadataVisitor).
 */
export function asHelmSendsIt(object: KubeObject, release: ReleaseKey, { namespaced }: Resource): KubeObject {
  const { namespace, ...metadata } = object.metadata ?? {};
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(namespaced ? { namespace: namespace || release.namespace } : {}),
      labels: { ...metadata.labels, "app.kubernetes.io/managed-by": "Helm" },
      annotations: {
        ...metadata.annotations,
        "meta.helm.sh/release-name": release.name,
        "meta.helm.sh/release-namespace": release.namespace,
      },
    },
  };
}

/** The server sets these fields. */
const serverFields = [
  ...["resourceVersion", "uid", "generation", "creationTimestamp", "deletionTimestamp", "selfLink"],
  ...["managedFields", "generateName"],
];

/** Returns what the live object must contain: no status, and `data` in place of `stringData`. */
export function asServerStoresIt(object: KubeObject, { group, kind }: Resource): JsonObject {
  const { status: _, ...stored } = object as JsonObject;
  const metadata: JsonObject = { ...(isJsonObject(stored.metadata) ? stored.metadata : {}) };
  for (const name of serverFields) delete metadata[name];
  stored.metadata = metadata;
  const { stringData } = stored;
  if (group !== "" || kind !== "Secret" || !isJsonObject(stringData)) return stored;
  delete stored.stringData;
  const data = isJsonObject(stored.data) ? { ...stored.data } : {};
  for (const name of Object.keys(stringData)) {
    const text = own(stringData, name);
    if (typeof text === "string") put(data, name, Buffer.from(text).toString("base64"));
  }
  return { ...stored, data };
}
