import type { Resource } from "@operator-path/client";

/** "/mutate-cache-example-com-v1alpha1-memcached", as controller-gen writes it into manifests. */
export function mutatePath(resource: Resource): string {
  return `/mutate-${suffix(resource)}`;
}

/** "/validate-cache-example-com-v1alpha1-memcached". */
export function validatePath(resource: Resource): string {
  return `/validate-${suffix(resource)}`;
}

/** Of all kinds. */
export const convertPath = "/convert";

function suffix({ group, version, kind }: Resource): string {
  return `${group.replaceAll(".", "-")}-${version}-${kind.toLowerCase()}`;
}

const pathPattern = "^((/[a-zA-Z0-9-_]+)+|/)$";

/** @throws TypeError when it does not have the form that Go's builder asks for */
export function checkCustomPath(path: string): string {
  if (/^((\/[a-zA-Z0-9\-_]+)+|\/)$/.test(path)) return path;
  throw new TypeError(`customPath ${JSON.stringify(path)} does not match this regex: ${pathPattern}`);
}
