import { expect, test } from "vitest";
import { runManyReal } from "./run-many.ts";
import { startTarget } from "./target.ts";

test("a dozen histories on the embedded server with the real clock keep every promise", async () => {
  const target = await startTarget("embedded", process.env);
  if (!target) throw new Error("the embedded server needs nothing");
  const problems: string[] = [];
  const { histories, connections, events } = await runManyReal(
    target,
    { from: 1, count: 12, parallel: 12 },
    (line) => problems.push(line),
  ).finally(() => target.stop());
  expect(problems).toEqual([]);
  expect(histories).toBe(12);
  // The histories exercised something.
  expect(connections).toBeGreaterThan(2 * histories);
  expect(events).toBeGreaterThan(10 * histories);
});
