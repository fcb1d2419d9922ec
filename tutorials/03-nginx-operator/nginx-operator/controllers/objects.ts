import type { KubeObject, ObjectMeta, Resource } from "@operator-path/client";
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
export function labelsFor(nginx: OvhNginx): Record<string, string> {
  return { app: "nginx", ovhnginx_cr: objectKeyOf(nginx).name };
}

/** Whatever is made for an OvhNginx has its name, and goes with it. */
export function metadataFor(nginx: OvhNginx): ObjectMeta {
  const { ownerReferences } =
    setControllerReference<KubeObject>(nginx, { metadata: objectKeyOf(nginx) }).metadata ?? {};
  return { ...objectKeyOf(nginx), labels: labelsFor(nginx), ownerReferences };
}

/**
 * What an OvhNginx has of this kind; undefined while it has none.
 *
 * @throws Error when somebody else's object has the name
 */
export async function find<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  nginx: OvhNginx,
): Promise<T | undefined> {
  const found = await client.get(resource, objectKeyOf(nginx)).catch(ignoreNotFound);
  if (found && getControllerOf(found)?.uid !== nginx.metadata?.uid) {
    throw new Error(`there is a ${resource.kind} ${nginx.metadata?.name} that is not this OvhNginx's`);
  }
  return found;
}
