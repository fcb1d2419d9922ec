import type { Frozen, KubeObject, ObjectMeta, Resource } from "@operator-path/client";
import {
  type Client,
  getControllerOf,
  ignoreNotFound,
  objectKeyOf,
  setControllerReference,
} from "@operator-path/controller-runtime";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";

/** The port that nginx listens on in its Pod. Below 1024 it would have to be root. */
export const containerPort = 8080;

/** The labels of an OvhNginx's Pods. */
export function labelsFor(ovhNginx: OvhNginx): Record<string, string> {
  return { app: "nginx", ovhnginx_cr: objectKeyOf(ovhNginx).name };
}

/** Whatever is made for an OvhNginx has its name, and goes with it. */
export function metadataFor(ovhNginx: OvhNginx): ObjectMeta {
  const { ownerReferences } =
    setControllerReference<KubeObject>(ovhNginx, { metadata: objectKeyOf(ovhNginx) }).metadata ?? {};
  return { ...objectKeyOf(ovhNginx), labels: labelsFor(ovhNginx), ownerReferences };
}

/**
 * What an OvhNginx has of this kind; undefined while it has none.
 *
 * @throws Error when somebody else's object has the name
 */
export async function find<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  ovhNginx: OvhNginx,
): Promise<Frozen<T> | undefined> {
  const found = await client.get(resource, objectKeyOf(ovhNginx)).catch(ignoreNotFound);
  if (found && getControllerOf(found)?.uid !== ovhNginx.metadata?.uid) {
    throw new Error(`there is a ${resource.kind} ${ovhNginx.metadata?.name} that is not this OvhNginx's`);
  }
  return found;
}
