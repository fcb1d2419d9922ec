import { expect, test } from "vitest";
import { trackCollections } from "./track-collections.ts";

class Registry extends Map<string, number> {}

test("counts entries of Maps and Sets of the folder's code, without deleted ones", async () => {
  using tracked = trackCollections(import.meta.dirname);
  const map = new Map([["a", 1]]);
  const set = new Set([1, 2]);
  expect(await tracked.size()).toBe(3);
  map.set("b", 2);
  set.clear();
  expect(await tracked.size()).toBe(2);
});

test("does not count collections without references", async () => {
  using tracked = trackCollections(import.meta.dirname);
  const sizes = Array.from({ length: 100 }, (_, i) => new Map([[i, i]]).size + new Set([i]).size);
  expect(sizes).toHaveLength(100);
  expect(await tracked.size()).toBe(0);
});

test("does not count collections of other code, nor new ones after its disposal", async () => {
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
