import type { KubeObject } from "@operator-path/client";
import { statusOf } from "./object-status.ts";
import type { ObjectView } from "./wire.ts";

/** Returns what the graph shows of an object. */
export function viewOf(object: KubeObject): ObjectView {
  const { apiVersion = "", kind = "", metadata = {} } = object;
  return {
    ...{ apiVersion, kind },
    uid: metadata.uid ?? "",
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    resourceVersion: metadata.resourceVersion ?? "",
    created: Date.parse(String(metadata.creationTimestamp ?? "")) || 0,
    owners: (metadata.ownerReferences ?? []).map(({ uid, controller }) => ({
      uid,
      controller: controller === true,
    })),
    status: statusOf(object),
  };
}

/** Returns an object without its managedFields, which say little to people and are longer than the rest. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (!object.metadata?.managedFields) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Returns a Secret without the annotation of `kubectl apply`, which repeats its data. Other objects are unchanged. */
export function withoutSecrets<T extends KubeObject>(object: T): T {
  const { annotations } = object.metadata ?? {};
  if (object.kind !== "Secret" || !annotations) return object;
  const { "kubectl.kubernetes.io/last-applied-configuration": _, ...rest } = annotations;
  return { ...object, metadata: { ...object.metadata, annotations: rest } };
}
