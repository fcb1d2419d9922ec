import type { ObjectMeta, Resource } from "@operator-path/client";

/** Names the primary resource of an object that cannot have it as its owner: `namespace/name`. */
export const primaryResourceAnnotation = "operator-sdk/primary-resource";
/** Names the kind of the primary resource: `Memcached.cache.example.com`. */
export const primaryResourceTypeAnnotation = "operator-sdk/primary-resource-type";

export interface PrimaryResource {
  /** As `typeOf` returns it. */
  readonly type: string;
  /** "" when it is cluster-scoped. */
  readonly namespace: string;
  readonly name: string;
}

/** Returns a kind with its group, without a version: `Memcached.cache.example.com`. */
export function typeOf({ kind, group }: Pick<Resource, "kind" | "group">): string {
  return group ? `${kind}.${group}` : kind;
}

/** Returns the primary resource that an object's annotations name; undefined when they name none. */
export function annotatedPrimary(metadata: ObjectMeta | undefined): PrimaryResource | undefined {
  const { [primaryResourceAnnotation]: primary, [primaryResourceTypeAnnotation]: type } =
    metadata?.annotations ?? {};
  if (!primary || !type) return undefined;
  const slash = primary.indexOf("/");
  return { type, namespace: slash < 0 ? "" : primary.slice(0, slash), name: primary.slice(slash + 1) };
}
