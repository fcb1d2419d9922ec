import {
  apiVersionOf,
  type KubeObject,
  type ObjectMeta,
  type Resource,
  UsageError,
} from "@operator-path/client";

/** On such objects. It goes along with a spread (`addFinalizer(partial, …)`), and is not sent. */
const metadataAlone: unique symbol = Symbol("metadata alone");

/**
 * An object of which nothing but its metadata is known (meta/v1 PartialObjectMetadata, with the apiVersion and kind of the
 * object itself). It can be patched, deleted and named as an owner; `create` and `update` refuse it, since what is not
 * known would be gone afterwards.
 */
export interface PartialObjectMetadata extends KubeObject {
  metadata?: ObjectMeta;
  readonly [metadataAlone]?: true;
}

/** What can be sent as the whole of an object: for the compiler, which then tells of what `refuseMetadataAlone` would. */
export interface WholeObject extends KubeObject {
  readonly [metadataAlone]?: never;
}

interface MetadataResource extends Resource<PartialObjectMetadata> {
  readonly metadataOnly: true;
}

/**
 * The same resource, of whose objects nothing but the metadata is asked for, sent and kept: `get`, `list` and informers of
 * it have a cache of their own (Go: metav1.PartialObjectMetadata, builder.OnlyMetadata).
 */
export function metadataOnly(resource: Resource): Resource<PartialObjectMetadata> {
  return Object.freeze({ ...resource, metadataOnly: true } satisfies MetadataResource);
}

/** The metadata of an object, as an object of its own. */
export function partialOf(resource: Resource, { metadata }: KubeObject): PartialObjectMetadata {
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    ...(metadata ? { metadata } : {}),
    [metadataAlone]: true,
  };
}

/** Whether all that is known of the object is its metadata. */
export function isMetadataAlone(object: KubeObject): boolean {
  return metadataAlone in object;
}

/** @throws UsageError when all that is known of the object is its metadata */
export function refuseMetadataAlone(object: KubeObject): void {
  if (!isMetadataAlone(object)) return;
  const { kind, metadata: { namespace, name } = {} } = object;
  throw new UsageError(
    `of the ${kind} ${namespace ? `${namespace}/` : ""}${name} only the metadata was read, and writing that in its place would remove the rest: send what changes with client.patch(wanted, mergeFrom(original)), or read the whole object first`,
  );
}

export function isMetadataOnly(resource: Resource): boolean {
  return "metadataOnly" in resource && resource.metadataOnly === true;
}
