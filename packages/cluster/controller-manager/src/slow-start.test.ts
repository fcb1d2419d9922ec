import { expect, test } from "vitest";
import { slowStart } from "./slow-start.ts";

test("what fails at once is tried once, not a thousand times", async () => {
  let calls = 0;
  const refused = new Error("exceeded quota");
  const result = await slowStart(1000, async () => {
    calls++;
    throw refused;
  });
  expect(result).toEqual({ succeeded: 0, error: refused });
  expect(calls).toBe(1);
});

test("everything is created when nothing fails, and what was created before a failure is counted", async () => {
  expect(await slowStart(10, async () => {})).toEqual({ succeeded: 10 });
  let calls = 0;
  const { succeeded } = await slowStart(10, async () => {
    if (++calls > 5) throw new Error("full");
  });
  expect(succeeded).toBe(5);
});
