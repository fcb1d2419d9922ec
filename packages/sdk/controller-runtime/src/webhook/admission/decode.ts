import { apiVersionOf, type KubeObject, type Resource } from "@operator-path/client";

/**
 * The object of a request, as one of the resource.
 *
 * @throws Error naming both kinds when it is of another: the webhook's path or rules are wrong
 */
export function decode<T extends KubeObject>(object: T | null | undefined, resource?: Resource<T>): T {
  if (!object) throw new Error("there is no content to decode");
  if (!resource) return object;
  const apiVersion = apiVersionOf(resource);
  // Objects within a review need not say what they are.
  const { apiVersion: given = apiVersion, kind = resource.kind } = object;
  if (given !== apiVersion || kind !== resource.kind) {
    throw new Error(
      `unable to decode ${given}, Kind=${kind} into a ${resource.kind} of ${apiVersion}: the rules of the webhook's configuration send it here`,
    );
  }
  return object;
}
