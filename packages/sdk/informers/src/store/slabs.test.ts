import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyObjectSpan } from "../wire/object-span.ts";
import { createSlabs, noSlab, type Slab, type StoredBytes } from "./slabs.ts";

function storeIn(
  slabs: ReturnType<typeof createSlabs>,
  bytes: Uint8Array,
  cut: [number, number],
): StoredBytes {
  const kept: StoredBytes = { slab: noSlab, at: 0, length: 0, isReleased: false };
  const [cutFrom, cutTo] = cut;
  slabs.keep(bytes, { ...emptyObjectSpan(), from: 0, to: bytes.length, cutFrom, cutTo }, kept);
  return kept;
}

const bytesOf = ({ slab, at, length }: StoredBytes) =>
  slab.bytes.subarray(at, at + length).toString("latin1");

test("returns the stored bytes without the cut range, before and after their release", () => {
  const step = fc.record({
    length: fc.oneof(fc.nat(60_000), fc.integer({ min: 200_000, max: 300_000 })),
    cut: fc.tuple(fc.nat(300_000), fc.nat(300_000)),
    release: fc.option(fc.nat(), { freq: 2 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const slabs = createSlabs();
      const all: { kept: StoredBytes; expected: string }[] = [];
      for (const [index, { length, cut, release }] of steps.entries()) {
        const bytes = Buffer.alloc(length, `${index},`);
        const [from = 0, to = 0] = cut.map((at) => Math.min(at, length)).sort((a, b) => a - b);
        const expected = bytes.toString("latin1", 0, from) + bytes.toString("latin1", to);
        all.push({ kept: storeIn(slabs, bytes, [from, to]), expected });
        const released = release === null ? undefined : all[release % all.length];
        if (released) released.kept.slab.release(released.kept);
      }
      for (const { kept, expected } of all) expect(bytesOf(kept) === expected).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("holds at most four times the bytes in use when one object in a hundred stays", () => {
  const slabs = createSlabs();
  const staying: StoredBytes[] = [];
  const object = Buffer.alloc(3_000, "x");
  let before: StoredBytes | undefined;
  for (let turn = 0; turn < 20_000; turn++) {
    const kept = storeIn(slabs, object, [0, 0]);
    if (turn % 100 === 0) staying.push(kept);
    else {
      if (before) before.slab.release(before);
      before = kept;
    }
  }
  const held = new Set<Slab>(staying.map(({ slab }) => slab));
  const bytes = [...held].reduce((sum, slab) => sum + slab.bytes.length, 0);
  expect(bytes).toBeLessThan(4 * staying.length * object.length + 1024 * 1024);
  expect(staying.every((kept) => bytesOf(kept) === object.toString())).toBe(true);
});
