import type { ObjectMeta, Resource } from "@operator-path/client";

/** Who an object's primary resource is, for objects that cannot have it as their owner: `namespace/name`. */
export const primaryResourceAnnotation = "operator-sdk/primary-resource";
/** Its kind: `Memcached.cache.example.com`. */
export const primaryResourceTypeAnnotation = "operator-sdk/primary-resource-type";

export interface PrimaryResource {
  /** As `typeOf` says it. */
  readonly type: string;
  /** "" for one of no namespace. */
  readonly namespace: string;
  readonly name: string;
}

/** `Memcached.cache.example.com`, of whatever version. */
export function typeOf({ kind, group }: Pick<Resource, "kind" | "group">): string {
  return group ? `${kind}.${group}` : kind;
}

/** What an object's annotations say; undefined: nothing. */
export function annotatedPrimary(metadata: ObjectMeta | undefined): PrimaryResource | undefined {
  const { [primaryResourceAnnotation]: primary, [primaryResourceTypeAnnotation]: type } =
    metadata?.annotations ?? {};
  if (!primary || !type) return undefined;
  const slash = primary.indexOf("/");
  return { type, namespace: slash < 0 ? "" : primary.slice(0, slash), name: primary.slice(slash + 1) };
}
