import type { KubeObject, ObjectMeta, Resource } from "@operator-path/client";
import { keyOfRequest, type Request } from "../reconcile/request.ts";
import type { EventHandler } from "./event-handler.ts";

/** Configures `enqueueRequestForOwner`. */
export interface EnqueueOwnerOptions {
  /**
   * Enqueues only the owner whose reference has `controller: true`. Default false. Go: OnlyControllerOwner.
   */
  onlyController?: boolean | undefined;
}

/**
 * Enqueues the owners of the object. Compares references by group and kind, in any version. For an update,
 * also enqueues the previous owners. Reads only metadata. Go: handler.EnqueueRequestForOwner.
 */
export function enqueueRequestForOwner(
  owner: Resource,
  { onlyController = false }: EnqueueOwnerOptions = {},
): EventHandler<KubeObject> {
  function addOwners(of: ObjectMeta | undefined, owners: Map<string, Request>): void {
    for (const { apiVersion, kind, name, controller } of of?.ownerReferences ?? []) {
      if (kind !== owner.kind || groupOf(apiVersion) !== owner.group) continue;
      if (onlyController && controller !== true) continue;
      const request = { namespace: owner.namespaced ? (of?.namespace ?? "") : "", name };
      owners.set(keyOfRequest(request), request);
    }
  }
  return (event, queue) => {
    const owners = new Map<string, Request>();
    addOwners(event.oldMetadata, owners);
    addOwners(event.metadata, owners);
    for (const request of owners.values()) queue.add(request);
  };
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
