import type { Frozen, KubeObject, ObjectMeta, Resource } from "@operator-path/client";
import {
  type Client,
  getControllerOf,
  ignoreNotFound,
  objectKeyOf,
  setControllerReference,
} from "@operator-path/controller-runtime";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";

/** Returns the labels of an OvhNginx's Pods. */
export function labelsFor(ovhNginx: OvhNginx): Record<string, string> {
  return { app: "nginx", ovhnginx_cr: objectKeyOf(ovhNginx).name };
}

/** Returns the metadata of each object that the operator creates for an OvhNginx. The OvhNginx owns it. */
export function metadataFor(ovhNginx: OvhNginx): ObjectMeta {
  const object: KubeObject = { metadata: { ...objectKeyOf(ovhNginx), labels: labelsFor(ovhNginx) } };
  return setControllerReference(ovhNginx, object).metadata ?? {};
}

/**
 * Returns the object of this kind that an OvhNginx has, or undefined.
 *
 * @throws Error if an object of another owner has the name
 */
export async function find<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  ovhNginx: OvhNginx,
): Promise<Frozen<T> | undefined> {
  const found = await client.get(resource, objectKeyOf(ovhNginx)).catch(ignoreNotFound);
  if (found && getControllerOf(found)?.uid !== ovhNginx.metadata?.uid) {
    const object = `${resource.kind} ${ovhNginx.metadata?.name}`;
    throw new Error(`${object} has another owner or none: delete it, or rename the OvhNginx`);
  }
  return found;
}
