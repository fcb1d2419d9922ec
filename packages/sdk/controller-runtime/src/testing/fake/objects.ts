import { apiVersionOf, type KubeObject, type ObjectMeta, type Resource } from "@operator-path/client";
import { isEqualJson } from "../../client/merge-patch.ts";
import { tidyMetadata } from "../../client/tidy-metadata.ts";

/** A stored object: frozen, with the metadata that only a server sets. */
export type Stored = KubeObject & {
  readonly metadata: ObjectMeta & { name: string };
  readonly status?: unknown;
};

/** Returns the object with the kind of its resource, without empty metadata that a server drops. */
export function typed(object: KubeObject, resource: Resource): KubeObject {
  return { ...tidyMetadata(object), apiVersion: apiVersionOf(resource), kind: resource.kind };
}

/**
 * Returns whether both have the same generation: they differ only in metadata, or in a status with a
 * subresource.
 */
export function isSameSpec(a: KubeObject, b: KubeObject, hasStatus: boolean): boolean {
  const bare = (object: KubeObject) => ({
    ...{ ...object, metadata: undefined },
    ...(hasStatus ? { status: undefined } : {}),
  });
  return isEqualJson(bare(a), bare(b));
}

export function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

/** metav1.Time has a resolution of seconds. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}
