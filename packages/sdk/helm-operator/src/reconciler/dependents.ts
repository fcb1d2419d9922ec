import { isDeepStrictEqual } from "node:util";
import type { KubeObject, ObjectMeta, Resource } from "@operator-path/client";
import {
  type Cache,
  type Controller,
  type EventHandler,
  enqueueRequestForOwner,
  isResync,
  kindSource,
  type Predicate,
  type Request,
  type Source,
} from "@operator-path/controller-runtime";
import { annotatedPrimary, typeOf } from "../drift/primary-resource.ts";
import { isSecrets, releaseSecrets } from "./release-secrets.ts";

export interface Dependents {
  /** Watches every kind among these that is not watched yet. */
  watch(resources: readonly Resource[]): void;
}

/**
 * Watches kinds as they turn up in rendered charts: only a rendering shows which kinds a release has. An
 * object leads to its owner by its controller reference, or by annotations where it cannot have a reference.
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

/** For metadata alone, which does not show what else has changed. */
const hasChanged: Predicate<KubeObject> = (event) => event.type !== "added" && !isResync(event);

/**
 * Leaves out creations and changes of the status: neither what the operator writes nor what the cluster
 * reports is drift. An added label counts, because it may be one of the chart's.
 */
export const hasDrifted: Predicate<KubeObject> = (event) => {
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
