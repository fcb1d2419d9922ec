import { createFakeClock } from "@operator-path/client/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { noSlab, type Slab, type StoredBytes, textOfStored } from "../slabs.ts";
import { createColdSlabs } from "./cold-slabs.ts";

function storeIn(slabs: ReturnType<typeof createColdSlabs>, text: string): StoredBytes {
  const kept: StoredBytes = { slab: noSlab, at: 0, length: 0, isReleased: false };
  const bytes = Buffer.from(`before ${text} behind`);
  const to = bytes.length - " behind".length;
  slabs.keep(bytes, { from: "before ".length, to, cutFrom: 0, cutTo: 0 }, kept);
  return kept;
}

/** Random text, except for the part that all objects share. */
const textOf = (i: number, bytes: number) =>
  JSON.stringify({
    metadata: { name: `é-${i}`, uid: `${Math.imul(i, 0x9e3779b1)}` },
    spec: { size: i % 7, pad: `${i}`.padEnd(bytes, "-usual value") },
  });

test("compresses unchanged objects to a fraction of their memory, and reads them unchanged", async () => {
  const clock = createFakeClock();
  const slabs = createColdSlabs({ clock, coldAfter: 30_000 });
  const all = Array.from({ length: 1_000 }, (_, i) => ({
    text: textOf(i, 3_000),
    kept: storeIn(slabs, textOf(i, 3_000)),
  }));
  const memory = () => {
    const used = new Set<Slab>(all.map(({ kept }) => kept.slab));
    return [...used].reduce((sum, { bytes }) => sum + bytes.length, 0);
  };
  const before = memory();
  await clock.advance(29_000);
  expect(memory()).toBe(before);
  await clock.advance(60_000);
  expect(memory()).toBeLessThan(before / 4);
  for (const { text, kept } of all) expect(textOfStored(kept)).toBe(text);
  const [first] = all;
  if (!first) throw new Error("no object");
  expect(first.kept.slab.codec).toBeDefined();
  expect(textOfStored(first.kept, 2, 10)).toBe("metadata");
  slabs.stop();
  expect(clock.pending()).toBe(0);
});

test("leaves other objects intact when their neighbours are released during compression", async () => {
  const clock = createFakeClock();
  const slabs = createColdSlabs({ clock, coldAfter: 1_000 });
  const all = Array.from({ length: 100 }, (_, i) => ({
    text: textOf(i, 3_000),
    kept: storeIn(slabs, textOf(i, 3_000)),
  }));
  const slab = all[0]?.kept.slab;
  const together = all.filter(({ kept }) => kept.slab === slab);
  const [released] = together.slice(5);
  released?.kept.slab.release(released.kept);
  await clock.advance(1_000);
  const warm = together.filter(({ kept }) => kept.slab.codec === undefined && kept !== released?.kept);
  expect(warm.length).toBeGreaterThan(0);
  expect(warm.length).toBeLessThan(together.length - 1);
  for (const { kept } of warm.slice(3)) kept.slab.release(kept);
  for (const { text, kept } of together) expect(textOfStored(kept)).toBe(text);
  await clock.advance(1_000);
  for (const { text, kept } of together) expect(textOfStored(kept)).toBe(text);
  expect(warm.map(({ kept }) => kept.slab.codec !== undefined)).toEqual(warm.map((_, i) => i < 3));
  expect(released?.kept.slab.codec).toBeUndefined();
  slabs.stop();
});

test("returns the stored bytes of every object, whatever is added, released and compressed", async () => {
  const step = fc.record({
    objects: fc.nat(200),
    bytes: fc.nat(3_000),
    release: fc.nat(100),
    wait: fc.nat(2_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const clock = createFakeClock();
      const slabs = createColdSlabs({ clock, coldAfter: 1_000 });
      let all: { text: string; kept: StoredBytes }[] = [];
      let n = 0;
      for (const { objects, bytes, release, wait } of steps) {
        for (let i = 0; i < objects; i++) {
          const text = textOf(n++, bytes);
          all.push({ text, kept: storeIn(slabs, text) });
        }
        const released = all.filter((_, i) => i % 100 < release);
        all = all.filter((_, i) => i % 100 >= release);
        for (const { kept } of released) kept.slab.release(kept);
        await clock.advance(wait);
        // A released object stays readable.
        for (const { text, kept } of [...all, ...released])
          if (textOfStored(kept) !== text) expect(textOfStored(kept)).toBe(text);
      }
      slabs.stop();
    }),
    { numRuns: 15 },
  );
});

test("compresses nothing and sets no timer with Infinity", async () => {
  const clock = createFakeClock();
  const slabs = createColdSlabs({ clock, coldAfter: Number.POSITIVE_INFINITY });
  const all = Array.from({ length: 200 }, (_, i) => storeIn(slabs, textOf(i, 3_000)));
  expect(clock.pending()).toBe(0);
  expect(all.every(({ slab }) => slab.codec === undefined)).toBe(true);
});

test("replaces the dictionary to compress objects unlike the first ones", async () => {
  const clock = createFakeClock();
  const slabs = createColdSlabs({ clock, coldAfter: 0 });
  const noise = (i: number) =>
    JSON.stringify({
      i,
      noise: Buffer.from(Array.from({ length: 900 }, (_, at) => (i * 7919 + at * at * 31) % 251)).toString(
        "base64",
      ),
    });
  for (let i = 0; i < 1_500; i++) storeIn(slabs, noise(i));
  await clock.advance(60_000);
  // The names have nothing in common. By itself such an object hardly compresses.
  const random = (seed: number) => (Math.imul(seed, 0x9e3779b1) >>> 0).toString(36);
  const members = Array.from({ length: 25 }, (_, at) => [
    [1, 2, 3, 4].map((of) => random(at * 4 + of)).join(""),
    true,
  ]);
  const short = (i: number) => JSON.stringify({ i, ...Object.fromEntries(members) });
  const all = Array.from({ length: 8_000 }, (_, i) => ({ text: short(i), kept: storeIn(slabs, short(i)) }));
  await clock.advance(120_000);
  const late = all.slice(4_000, 5_000).map(({ kept }) => kept);
  const kept = late.reduce((sum, { length }) => sum + length, 0);
  expect(late.every(({ slab }) => slab.codec !== undefined)).toBe(true);
  expect(kept / late.length).toBeLessThan(short(4_000).length / 10);
  for (const { text, kept } of all) if (textOfStored(kept) !== text) expect(textOfStored(kept)).toBe(text);
  slabs.stop();
});
