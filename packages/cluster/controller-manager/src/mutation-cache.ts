import type { KubeObject } from "@operator-path/client";
import { type SharedInformer, unwrapTombstone } from "@operator-path/informers";
import { nameOf, namespaceOf, uidOf } from "./objects.ts";

/**
 * A controller's writes that its informer has not seen yet, so that the controller reads its own writes.
 * Without them it would repeat a creation that the cache does not show. (client-go: cache.MutationCache.)
 */
export interface MutationCache<T extends KubeObject> {
  /** Records the API server's response to a create or an update. */
  written(object: T): void;
  /** Records an object that the API server has deleted. */
  removed(object: T): void;
  /** Returns the cached objects with the writes applied, and the created objects that `belongs` accepts. */
  overlay(cached: T[], belongs: (object: T) => boolean): T[];
  /** Returns one object with the writes applied, or undefined if it was deleted. */
  latest(cached: T): T | undefined;
}

/**
 * A write counts until the informer's cache has caught up with it, not until a handler has run. Handlers run
 * at their own pace, so the first one to see a deletion would still read the deleted object. Once the cache
 * has caught up, its copy wins, even over a list that was read earlier.
 */
export function createMutationCache<T extends KubeObject>(informer: SharedInformer<T>): MutationCache<T> {
  /**
   * By uid: the object, and whether it was deleted. Entries that the cache shows stay until the handlers have
   * run.
   */
  const pending = new Map<string, { object: T; removed: boolean }>();

  const cachedAs = (object: T): T | undefined => {
    const cached = informer.lister.namespace(namespaceOf(object)).get(nameOf(object));
    return cached !== undefined && uidOf(cached) === uidOf(object) ? (cached as T) : undefined;
  };
  const isSeen = (object: T) => versionOf(object) <= Number(informer.lastSyncResourceVersion());

  informer.addEventHandler({
    added: forgetOlder,
    updated: (_old, object) => forgetOlder(object),
    deleted: (object) => pending.delete(uidOf(unwrapTombstone(object))),
  });
  function forgetOlder(object: T): void {
    const mine = pending.get(uidOf(object));
    if (mine !== undefined && !mine.removed && versionOf(object) >= versionOf(mine.object)) {
      pending.delete(uidOf(object));
    }
  }

  /** Returns the current state of a written object. */
  const now = ({ object, removed }: { object: T; removed: boolean }): T | undefined => {
    if (removed) return undefined;
    return isSeen(object) ? cachedAs(object) : object;
  };
  const latest = (cached: T) => {
    const mine = pending.get(uidOf(cached));
    return mine === undefined ? cached : now(mine);
  };

  return {
    written(object) {
      // The watch may have been faster than the response.
      if (!isSeen(object)) pending.set(uidOf(object), { object, removed: false });
    },
    removed(object) {
      if (cachedAs(object)) pending.set(uidOf(object), { object, removed: true });
      else pending.delete(uidOf(object));
    },
    overlay(cached, belongs) {
      if (pending.size === 0) return cached;
      const known = new Set(cached.map(uidOf));
      const created = [...pending.values()].flatMap((write) => {
        const object = known.has(uidOf(write.object)) ? undefined : now(write);
        return object !== undefined && belongs(object) ? [object] : [];
      });
      return [...cached.flatMap((object) => latest(object) ?? []), ...created];
    },
    latest,
  };
}

/** resourceVersions of one resource are comparable (KEP-5504). */
function versionOf(object: KubeObject): number {
  return Number(object.metadata?.resourceVersion ?? 0);
}
