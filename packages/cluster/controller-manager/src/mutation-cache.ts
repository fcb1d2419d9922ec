import type { KubeObject } from "@operator-path/client";
import { type SharedInformer, unwrapTombstone } from "@operator-path/informers";
import { nameOf, namespaceOf, uidOf } from "./objects.ts";

/**
 * What a controller has written and its informer has not seen yet, so that it reads its own writes. A creation that the
 * cache does not show would otherwise be done again. (client-go: cache.MutationCache.)
 */
export interface MutationCache<T extends KubeObject> {
  /** An object as the API server answered a creation or an update. */
  written(object: T): void;
  /** An object that the API server has deleted. */
  removed(object: T): void;
  /** The cached objects as they are after the writes, with those that were created and that `belongs` accepts. */
  overlay(cached: T[], belongs: (object: T) => boolean): T[];
  /** One object, as it is after the writes. */
  latest(cached: T): T | undefined;
}

/**
 * A write counts until the informer's cache is as new as it is, and not until a handler has been told of it: handlers go
 * each at its own pace, and whoever is told first of an end would still see what has ended. From then on the object is as
 * the cache has it, also for who has listed before.
 */
export function createMutationCache<T extends KubeObject>(informer: SharedInformer<T>): MutationCache<T> {
  /** By uid: the object, and whether it is gone. Those that the cache shows stay until the handlers are told. */
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

  /** What there is of something that was written. */
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
      // The watch may have been quicker than the answer.
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

/** Versions of one resource can be compared (KEP-5504). */
function versionOf(object: KubeObject): number {
  return Number(object.metadata?.resourceVersion ?? 0);
}
