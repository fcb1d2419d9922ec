/** A complete image reference: `busybox` is `docker.io/library/busybox:latest`. */
export interface ImageReference {
  /** With its registry and without a tag: `docker.io/library/busybox`. */
  repository: string;
  registry: string;
  /** Undefined if the reference has only a digest. */
  tag: string | undefined;
  digest: string | undefined;
  /** Repository, tag and digest, as a container runtime names the image. */
  name: string;
}

const REPOSITORY = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;

/**
 * Parses a reference by the grammar of github.com/distribution/reference.
 * @returns undefined for an invalid one (the kubelet's InvalidImageName)
 */
export function parseImageReference(text: string): ImageReference | undefined {
  let rest = text;
  let digest: string | undefined;
  const at = rest.indexOf("@");
  if (at >= 0) {
    digest = rest.slice(at + 1);
    rest = rest.slice(0, at);
    if (!/^[A-Za-z][A-Za-z0-9]*:[0-9a-fA-F]{32,}$/.test(digest)) return undefined;
  }
  let tag: string | undefined;
  const colon = rest.lastIndexOf(":");
  if (colon > rest.lastIndexOf("/")) {
    tag = rest.slice(colon + 1);
    rest = rest.slice(0, colon);
    if (!/^[\w][\w.-]{0,127}$/.test(tag)) return undefined;
  }
  const slash = rest.indexOf("/");
  const first = slash < 0 ? "" : rest.slice(0, slash);
  const hasRegistry = first === "localhost" || /[.:]/.test(first);
  const registry = hasRegistry ? first : "docker.io";
  let path = hasRegistry ? rest.slice(slash + 1) : rest;
  if (hasRegistry && !/^[A-Za-z0-9.-]+(?::\d+)?$/.test(registry)) return undefined;
  if (!REPOSITORY.test(path)) return undefined;
  if (registry === "docker.io" && !path.includes("/")) path = `library/${path}`;
  if (tag === undefined && digest === undefined) tag = "latest";
  const repository = `${registry}/${path}`;
  const name = `${repository}${tag ? `:${tag}` : ""}${digest ? `@${digest}` : ""}`;
  return { repository, registry, tag, digest, name };
}
