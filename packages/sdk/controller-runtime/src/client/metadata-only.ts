import {
  apiVersionOf,
  type KubeObject,
  type ObjectMeta,
  type Resource,
  UsageError,
} from "@operator-path/client";

/** Marks such objects. A spread copies it (`addFinalizer(partial, …)`), JSON does not contain it. */
const metadataAlone: unique symbol = Symbol("metadata alone");

/**
 * An object of which only the metadata was read: a meta/v1 PartialObjectMetadata with the object's own
 * apiVersion and kind. You can patch and delete it and use it as an owner. `create` and `update` reject it,
 * because they would remove the fields that were not read.
 */
export interface PartialObjectMetadata extends KubeObject {
  metadata?: ObjectMeta;
  readonly [metadataAlone]?: true;
}

/** An object that can be sent as a whole. Lets the compiler find what `refuseMetadataAlone` would reject. */
export interface WholeObject extends KubeObject {
  readonly [metadataAlone]?: never;
}

interface MetadataResource extends Resource<PartialObjectMetadata> {
  readonly metadataOnly: true;
}

/**
 * Returns a resource that reads and caches only the metadata of its objects. `get`, `list` and informers of
 * it use a cache of their own. Go: metav1.PartialObjectMetadata, builder.OnlyMetadata.
 */
export function metadataOnly(resource: Resource): Resource<PartialObjectMetadata> {
  return Object.freeze({ ...resource, metadataOnly: true } satisfies MetadataResource);
}

/** Returns an object with only the metadata. */
export function partialOf(resource: Resource, { metadata }: KubeObject): PartialObjectMetadata {
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    ...(metadata ? { metadata } : {}),
    [metadataAlone]: true,
  };
}

/** Returns whether only the metadata of the object was read. */
export function isMetadataAlone(object: KubeObject): boolean {
  return metadataAlone in object;
}

/** @throws UsageError when only the metadata of the object was read */
export function refuseMetadataAlone(object: KubeObject): void {
  if (!isMetadataAlone(object)) return;
  const { kind, metadata: { namespace, name } = {} } = object;
  throw new UsageError(
    `only the metadata of the ${kind} ${namespace ? `${namespace}/` : ""}${name} was read, so this write would remove the rest: use client.patch(wanted, mergeFrom(original)), or read the whole object first`,
  );
}

export function isMetadataOnly(resource: Resource): boolean {
  return "metadataOnly" in resource && resource.metadataOnly === true;
}
