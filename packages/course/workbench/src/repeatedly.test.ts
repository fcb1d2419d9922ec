import { expect, test } from "vitest";
import { repeatedly } from "./repeatedly.ts";

test("runs once more after requests that came meanwhile, and not twice at once", async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const work = repeatedly(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  work.start();
  work.start();
  work.start();
  expect(runs).toHaveLength(1);
  runs[0]?.reject(new Error("the disk is full"));
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  await work.idle();
  expect(runs).toHaveLength(2);
  work.start();
  expect(runs).toHaveLength(3);
});
