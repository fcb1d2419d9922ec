import { ApiError, apiVersionOf, type KubeObject, type Resource } from "@operator-path/client";

/** Returns what to check when the server does not have the resource (404), or "" for any other error. */
export function hintOf<T extends KubeObject>(error: unknown, resource: Resource<T>): string {
  if (!(error instanceof ApiError) || error.code !== 404) return "";
  const { group, plural } = resource;
  const name = `${plural} in ${apiVersionOf(resource)}`;
  // Groups of built-in kinds have no dot, or end in k8s.io. A CRD may use a group that ends in k8s.io too.
  return group.includes(".")
    ? ` (does the server have ${name}? If not, apply the CustomResourceDefinition ${plural}.${group})`
    : ` (does the server have ${name}?)`;
}
