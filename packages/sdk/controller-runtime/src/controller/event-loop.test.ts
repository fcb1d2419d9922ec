import { expect, test } from "vitest";
import { startController } from "./testing/start-controller.ts";

test("many synchronous reconciles do not block timers, sockets and probes", async () => {
  const done = Promise.withResolvers<void>();
  let reconciles = 0;
  let turns = 0;
  let longest = 0;
  const count = () => {
    turns++;
    longest = Math.max(longest, reconciles - last);
    last = reconciles;
    if (reconciles < 300) setImmediate(count);
  };
  let last = 0;
  const { source, clock } = await startController(() => {
    const until = performance.now() + 1;
    while (performance.now() < until);
    if (++reconciles === 300) done.resolve();
  });
  for (let index = 0; index < 300; index++) source.add({ namespace: "default", name: `${index}` });
  setImmediate(count);
  await done.promise;
  await clock.advance(0);
  expect(turns).toBeGreaterThan(20);
  expect(longest).toBeLessThan(100);
});
