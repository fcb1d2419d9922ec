import type { Resource } from "@operator-path/client";

/** Returns "/mutate-cache-example-com-v1alpha1-memcached", as in the manifests of controller-gen. */
export function mutatePath(resource: Resource): string {
  return `/mutate-${suffix(resource)}`;
}

/** Returns "/validate-cache-example-com-v1alpha1-memcached". */
export function validatePath(resource: Resource): string {
  return `/validate-${suffix(resource)}`;
}

/** The path for all kinds. */
export const convertPath = "/convert";

function suffix({ group, version, kind }: Resource): string {
  return `${group.replaceAll(".", "-")}-${version}-${kind.toLowerCase()}`;
}

const pathPattern = "^((/[a-zA-Z0-9-_]+)+|/)$";

/** @throws TypeError when the path does not match the pattern of Go's builder */
export function checkCustomPath(path: string): string {
  if (/^((\/[a-zA-Z0-9\-_]+)+|\/)$/.test(path)) return path;
  throw new TypeError(`customPath ${JSON.stringify(path)} does not match this regex: ${pathPattern}`);
}
