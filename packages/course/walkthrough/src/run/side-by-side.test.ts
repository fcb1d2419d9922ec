import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sideBySide } from "./side-by-side.ts";

test("works on every item once, in order, and on at most `jobs` at a time", async () => {
  const turns = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(turns, fc.integer({ min: 1, max: 4 }), async (lengths, jobs) => {
      const begun: number[] = [];
      let under = 0;
      let most = 0;
      await sideBySide([...lengths.keys()], { jobs }, async (item) => {
        begun.push(item);
        most = Math.max(most, ++under);
        for (let turn = 0; turn < (lengths[item] ?? 0); turn++) await setImmediate();
        under -= 1;
      });
      expect(begun).toEqual([...lengths.keys()]);
      expect(under).toBe(0);
      expect(most).toBe(Math.min(jobs, lengths.length));
    }),
    { numRuns: 50 },
  );
});

test("after an error begins no other item, and aborts and awaits the running ones", async () => {
  const seen: string[] = [];
  const work = async (item: string, signal: AbortSignal): Promise<void> => {
    seen.push(item);
    if (item === "fails") throw new Error("no");
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    await setImmediate();
    seen.push("aborted");
  };
  await expect(sideBySide(["waits", "fails", "never"], { jobs: 2 }, work)).rejects.toThrow("no");
  expect(seen).toEqual(["waits", "fails", "aborted"]);
});

test("begins no other item after an abort", async () => {
  const abort = new AbortController();
  const seen: number[] = [];
  await sideBySide([1, 2], { jobs: 1, signal: abort.signal }, async (item) => {
    seen.push(item);
    abort.abort();
  });
  expect(seen).toEqual([1]);
});
