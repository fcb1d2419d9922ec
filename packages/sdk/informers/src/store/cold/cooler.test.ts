import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { createCooler } from "./cooler.ts";

test("processes a batch after its rest, in steps and in order", async () => {
  const clock = createFakeClock();
  const worked: number[] = [];
  const cooler = createCooler<number>((item) => worked.push(item) && 40, {
    clock,
    rest: 1_000,
    pause: 10,
    sliceBytes: 100,
  });
  cooler.add([1, 2, 3, 4]);
  await clock.advance(500);
  cooler.add([5]);
  await clock.advance(499);
  expect(worked).toEqual([]);
  await clock.advance(1);
  expect(worked).toEqual([1, 2, 3]);
  await clock.advance(10);
  expect(worked).toEqual([1, 2, 3, 4]);
  await clock.advance(490);
  expect(worked).toEqual([1, 2, 3, 4, 5]);
  expect(clock.pending()).toBe(0);
});

test("continues with the next batch if one was emptied meanwhile", async () => {
  const clock = createFakeClock();
  const worked: string[] = [];
  const cooler = createCooler<string>((item) => worked.push(item), { clock, rest: 0, sliceBytes: 1 });
  const first = ["a", "b", "c"];
  cooler.add(first);
  cooler.add(["d"]);
  await clock.advance(10);
  first.splice(0);
  await clock.advance(1_000);
  expect(worked).toEqual(["a", "d"]);
});

test("rests for the same time when the wall clock is set", async () => {
  for (const set of [-3_600_000, 3_600_000]) {
    const clock = createFakeClock();
    const worked: string[] = [];
    const cooler = createCooler<string>((item) => worked.push(item), { clock, rest: 1_000 });
    cooler.add(["a"]);
    clock.set(set);
    cooler.add(["b"]);
    await clock.advance(999);
    expect(worked).toEqual([]);
    await clock.advance(11);
    expect(worked).toEqual(["a", "b"]);
  }
});

test("starts nothing when it is stopped while idle", () => {
  const clock = createFakeClock();
  const cooler = createCooler<string>(() => 1, { clock });
  cooler.stop();
  cooler.add(["a"]);
  expect(clock.pending()).toBe(0);
});

test("stays stopped", async () => {
  const clock = createFakeClock();
  const worked: string[] = [];
  const cooler = createCooler<string>((item) => worked.push(item), { clock });
  cooler.add(["a"]);
  cooler.stop();
  cooler.add(["b"]);
  expect(clock.pending()).toBe(0);
  await clock.advance(100_000);
  expect(worked).toEqual([]);
});
