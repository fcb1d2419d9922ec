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
 * Watches kinds as they turn up in rendered charts: what a release consists of is known when it is rendered. An object
 * leads to its owner by its controller reference, or where it cannot have one by its annotations.
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
    // The watch of release Secrets has their metadata already; what others hold is nothing to keep in memory.
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

/** Of metadata alone: what has changed besides it is not known. */
const hasChanged: Predicate<KubeObject> = (event) => event.type !== "added" && !isResync(event);

/**
 * What the operator itself does, and what the cluster says of it, is no drift: creations and changes of the status are left
 * out. (A label that somebody has added is looked at: it may be one of the chart's.)
 */
export const hasDrifted: Predicate<KubeObject> = (event) => {
  if (event.type === "added") return false;
  if (event.type !== "updated" || !event.old) return true;
  const { generation } = event.metadata;
  if (isResync(event)) return false;
  const metadataIsSame = isDeepStrictEqual(stated(event.metadata), stated(event.oldMetadata));
  // A generation counts the changes of the specification, so the rest need not be compared.
  if (generation !== undefined && generation === event.oldMetadata?.generation && metadataIsSame)
    return false;
  return !metadataIsSame || !isDeepStrictEqual(specified(event.object), specified(event.old));
};

/** Of the metadata what somebody has said, not what the server keeps. */
function stated(metadata: KubeObject["metadata"]): object {
  const { resourceVersion: _, generation: __, managedFields: ___, ...rest } = metadata ?? {};
  return rest;
}

function specified(object: KubeObject): object {
  const { status: _, metadata: __, ...rest } = object as KubeObject & { status?: unknown };
  return rest;
}

/** Of an object that cannot have an owner reference: what its annotations say, if they name an object of this kind. */
function primaryOf(metadata: ObjectMeta | undefined, resource: Resource): Request | undefined {
  const primary = annotatedPrimary(metadata);
  if (primary?.type !== typeOf(resource)) return undefined;
  return { namespace: primary.namespace, name: primary.name };
}
