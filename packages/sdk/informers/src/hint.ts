import { ApiError, apiVersionOf, type KubeObject, type Resource } from "@operator-path/client";

/** What to look at when the server has no such collection; "" for any other error. */
export function hintOf<T extends KubeObject>(error: unknown, resource: Resource<T>): string {
  if (!(error instanceof ApiError) || error.code !== 404) return "";
  const { group, plural } = resource;
  const name = `${plural} of ${apiVersionOf(resource)}`;
  // Groups of the built-in kinds have no dot, or end in k8s.io; those may be made by a definition, too.
  return group.includes(".")
    ? ` (does the server have ${name}? Is its CustomResourceDefinition ${plural}.${group} applied?)`
    : ` (does the server have ${name}?)`;
}
