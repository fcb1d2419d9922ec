import type { Pod } from "@operator-path/client";
import type { SharedInformer } from "@operator-path/informers";
import { expect, test } from "vitest";
import { createMutationCache } from "./mutation-cache.ts";

const pod = (name: string, resourceVersion: number): Pod => ({
  metadata: { namespace: "shop", name, uid: `uid of ${name}`, resourceVersion: `${resourceVersion}` },
});

/** An informer whose cache the test sets, and whose handlers never run. */
function start() {
  let cached: Pod[] = [];
  let version = 0;
  const get = (name: string) => cached.find(({ metadata }) => metadata?.name === name);
  const informer = {
    lister: { namespace: () => ({ get }) },
    lastSyncResourceVersion: () => `${version}`,
    addEventHandler: () => ({}),
  } as unknown as SharedInformer<Pod>;
  const cache = createMutationCache(informer);
  return {
    cache,
    sees(objects: Pod[], asOf: number) {
      cached = objects;
      version = asOf;
    },
    versions: () =>
      cache
        .overlay(cached, () => true)
        .map(({ metadata }) => `${metadata?.name} ${metadata?.resourceVersion}`),
  };
}

test("a write is visible before the cache shows it, and the cache's copy afterwards", () => {
  const { cache, sees, versions } = start();
  sees([pod("a", 3)], 9);
  cache.written(pod("a", 10));
  cache.written(pod("b", 11));
  expect(versions()).toEqual(["a 10", "b 11"]);
  sees([pod("a", 10)], 10);
  expect(versions()).toEqual(["a 10", "b 11"]);
  sees([pod("a", 10), pod("b", 12)], 12);
  expect(versions()).toEqual(["a 10", "b 12"]);
});

test("a list from before a write still yields the cache's newer copy", () => {
  const { cache, sees } = start();
  sees([], 9);
  cache.written(pod("a", 10));
  sees([pod("a", 12)], 12);
  expect(cache.overlay([], () => true)).toEqual([pod("a", 12)]);
});

test("a deleted object disappears as soon as the cache knows, before any handler has run", () => {
  const { cache, sees, versions } = start();
  sees([pod("a", 3)], 9);
  cache.written(pod("a", 10));
  sees([], 11);
  expect(versions()).toEqual([]);
  // The watch was faster than the response.
  cache.written(pod("a", 10));
  expect(versions()).toEqual([]);
});

test("a removed object disappears before the cache shows it, and its successor of the same name is visible", () => {
  const { cache, sees, versions } = start();
  sees([pod("a", 3), pod("b", 4)], 9);
  cache.removed(pod("a", 3));
  expect(versions()).toEqual(["b 4"]);
  expect(cache.latest(pod("a", 3))).toBeUndefined();
  const another: Pod = { metadata: { ...pod("a", 12).metadata, uid: "another" } };
  sees([another, pod("b", 4)], 12);
  expect(versions()).toEqual(["a 12", "b 4"]);
});
