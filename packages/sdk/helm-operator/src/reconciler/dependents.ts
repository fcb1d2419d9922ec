import { isDeepStrictEqual } from "node:util";
import { type KubeObject, type ObjectMeta, type Resource, secrets } from "@operator-path/client";
import {
  type Cache,
  type Controller,
  type EventHandler,
  enqueueRequestForOwner,
  isResync,
  kindSource,
  metadataOnly,
  type PartialObjectMetadata,
  type Predicate,
  type Reader,
  type Request,
  type Source,
} from "@operator-path/controller-runtime";
import { annotatedPrimary, typeOf } from "../drift/ownership.ts";

/** The objects of releases, as far as they are watched. */
export interface Dependents {
  /** Watches every kind among these that is not watched yet. */
  watch(resources: readonly Resource[]): void;
}

/**
 * Watches kinds as they turn up in rendered charts: only a rendering shows which kinds a release has. Maps
 * each object to its owner through the controller reference. For an object that cannot have one, uses
 * annotations.
 */
export function createDependents(
  cache: Cache,
  owner: Resource,
  controller: () => Pick<Controller, "watch">,
): Dependents {
  const watched = new Set<string>();
  const byReference = enqueueRequestForOwner(owner, { onlyController: true });
  const handler: EventHandler<KubeObject> = (event, queue, context) => {
    const primaries = [primaryOf(event.metadata, owner), primaryOf(event.oldMetadata, owner)];
    for (const primary of primaries) if (primary) queue.add(primary);
    return byReference(event, queue, context);
  };

  function sourceOf(resource: Resource): Source {
    // The watch of the release Secrets has their metadata already. Do not cache the data of all Secrets.
    if (isSecrets(resource)) return kindSource(cache, releaseSecrets, handler, { predicates: [hasChanged] });
    return kindSource(cache, resource, handler, { predicates: [hasDrifted] });
  }

  return {
    watch(resources) {
      for (const resource of resources) {
        const key = `${resource.group}/${resource.version}/${resource.plural}`;
        if (watched.has(key)) continue;
        watched.add(key);
        controller().watch(sourceOf(resource));
      }
    },
  };
}

/**
 * For a metadata-only watch, every update and deletion counts as drift: metadata does not show whether the
 * data changed.
 */
const hasChanged: Predicate<KubeObject> = (event) => event.type !== "added" && !isResync(event);

/**
 * Leaves out creations and changes of the status: neither what the operator writes nor what the cluster
 * reports is drift. An added label counts, because it may be one of the chart's.
 */
const hasDrifted: Predicate<KubeObject> = (event) => {
  if (event.type === "added") return false;
  if (event.type !== "updated" || !event.old) return true;
  const { generation } = event.metadata;
  if (isResync(event)) return false;
  const metadataIsSame = isDeepStrictEqual(
    writtenMetadata(event.metadata),
    writtenMetadata(event.oldMetadata),
  );
  // The generation counts changes of the spec, so the rest need not be compared.
  if (generation !== undefined && generation === event.oldMetadata?.generation && metadataIsSame)
    return false;
  return !metadataIsSame || !isDeepStrictEqual(withoutStatus(event.object), withoutStatus(event.old));
};

/** Returns the metadata that writers set, without the fields that the server maintains. */
function writtenMetadata(metadata: KubeObject["metadata"]): object {
  const { resourceVersion: _, generation: __, managedFields: ___, ...rest } = metadata ?? {};
  return rest;
}

function withoutStatus(object: KubeObject): object {
  const { status: _, metadata: __, ...rest } = object as KubeObject & { status?: unknown };
  return rest;
}

/** Returns the owner that an object's annotations name, for objects that cannot have an owner reference. */
function primaryOf(metadata: ObjectMeta | undefined, resource: Resource): Request | undefined {
  const primary = annotatedPrimary(metadata);
  if (primary?.type !== typeOf(resource)) return undefined;
  return { namespace: primary.namespace, name: primary.name };
}

/**
 * Returns a reader for the objects of releases. It reads from the cache, which watches them. Secrets come
 * from the server, because the cache has only their metadata.
 */
export function dependentsReader(cached: Reader, server: Reader): Reader {
  const readerOf = (resource: Parameters<Reader["get"]>[0]) => (isSecrets(resource) ? server : cached);
  return {
    get: (resource, key, options) => readerOf(resource).get(resource, key, options),
    list: (resource, options) => readerOf(resource).list(resource, options),
  };
}

/**
 * The Secrets in which helm stores releases. Only metadata is watched: a release may take a megabyte, ten
 * revisions of each are kept, and other Secrets are not the operator's business.
 */
export const releaseSecrets = metadataOnly(secrets);

/** Returns whether a resource is Secrets, with their data or metadata only. */
function isSecrets({ group, plural }: Resource): boolean {
  return group === secrets.group && plural === secrets.plural;
}

/** Selects the Secrets in which helm stores releases. */
export const isReleaseSecret: Predicate<PartialObjectMetadata> = ({ metadata }) =>
  metadata.labels?.owner === "helm" && (metadata.name ?? "").startsWith("sh.helm.release.v1.");

/**
 * Enqueues the object of a release, which has its name. So the operator notices a manual upgrade, rollback or
 * uninstall. A selector of objects must not filter these Secrets.
 */
export const enqueueRequestForRelease: EventHandler<PartialObjectMetadata> = ({ metadata }, queue) => {
  const name = metadata.labels?.name;
  if (name) queue.add({ namespace: metadata.namespace ?? "", name });
};
