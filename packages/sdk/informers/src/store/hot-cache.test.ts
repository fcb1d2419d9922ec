import fc from "fast-check";
import { expect, test } from "vitest";
import { createHotCache, type Warm } from "./hot-cache.ts";

test("keeps recently read items and evicts the others", () => {
  const forgotten: string[] = [];
  const hot = createHotCache(3);
  const warm = (name: string): Warm => ({ used: false, place: -1, cool: () => void forgotten.push(name) });
  const read = warm("read");
  for (const each of [warm("a"), read, warm("b")]) hot.add(each);
  read.used = true;
  for (const name of ["c", "d", "e"]) hot.add(warm(name));
  expect(forgotten).toEqual(["a", "b", "c"]);
});

test("frees a place for each removed item", () => {
  const step = fc.record({ remove: fc.option(fc.nat(), { freq: 2 }), read: fc.option(fc.nat()) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const hot = createHotCache(5);
      const held = new Set<Warm>();
      const all: Warm[] = [];
      for (const { remove, read } of steps) {
        const warm: Warm = { used: false, place: -1, cool: () => void held.delete(warm) };
        const isFull = held.size === 5;
        all.push(warm);
        held.add(warm);
        hot.add(warm);
        expect(held.size).toBe(isFull ? 5 : [...held].length);
        expect(held.size).toBeLessThanOrEqual(5);
        const removed = remove === null ? undefined : all[remove % all.length];
        if (removed) {
          hot.remove(removed);
          held.delete(removed);
        }
        const kept = [...held];
        if (read !== null && kept.length > 0) (kept[read % kept.length] as Warm).used = true;
        for (const one of all) expect(one.place >= 0).toBe(held.has(one));
      }
    }),
  );
});
