import { apiVersionOf, type KubeObject, type Resource } from "@operator-path/client";

/**
 * Returns the object of a request as an object of the resource.
 *
 * @throws Error naming both kinds when the object has another kind, because of a wrong path or rule
 */
export function decode<T extends KubeObject>(object: T | null | undefined, resource?: Resource<T>): T {
  if (!object) throw new Error("there is no content to decode");
  if (!resource) return object;
  const apiVersion = apiVersionOf(resource);
  // Objects in a review may omit apiVersion and kind.
  const { apiVersion: given = apiVersion, kind = resource.kind } = object;
  if (given !== apiVersion || kind !== resource.kind) {
    throw new Error(
      `unable to decode ${given}, Kind=${kind} into a ${resource.kind} of ${apiVersion}: the rules of the webhook's configuration send it here`,
    );
  }
  return object;
}
