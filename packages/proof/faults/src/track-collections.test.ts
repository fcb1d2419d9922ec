import { expect, test } from "vitest";
import { trackCollections } from "./track-collections.ts";

class Registry extends Map<string, number> {}

test("counts entries of Maps and Sets that the folder's code made, and forgets what was deleted", async () => {
  using tracked = trackCollections(import.meta.dirname);
  const map = new Map([["a", 1]]);
  const set = new Set([1, 2]);
  expect(await tracked.size()).toBe(3);
  map.set("b", 2);
  set.clear();
  expect(await tracked.size()).toBe(2);
});

test("does not count collections that nothing refers to", async () => {
  using tracked = trackCollections(import.meta.dirname);
  const sizes = Array.from({ length: 100 }, (_, i) => new Map([[i, i]]).size + new Set([i]).size);
  expect(sizes).toHaveLength(100);
  expect(await tracked.size()).toBe(0);
});

test("counts nothing that other code made, and nothing after it is disposed", async () => {
  const { Map: before } = globalThis;
  const tracked = trackCollections("/nowhere");
  const map = new Map([["a", 1]]);
  expect(await tracked.size()).toBe(0);
  expect(map).toBeInstanceOf(before);
  expect(new before()).toBeInstanceOf(Map);
  expect(new Registry([["a", 1]])).toBeInstanceOf(Registry);
  tracked[Symbol.dispose]();
  expect(globalThis.Map).toBe(before);
});
