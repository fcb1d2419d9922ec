import { expect, test } from "vitest";
import { lastErrorIn } from "./last-error.ts";

const refusal = 'shops "tea" is forbidden: it may not';

test.each([
  ["JSON", `{"level":"error","error":${JSON.stringify(refusal)},"msg":"Reconciler error"}`, refusal],
  ["a warning with an error", `{"level":"warn","error":"no list","msg":"will retry"}`, "no list"],
  ["JSON without an error's fields", '{"level":"error","msg":"it broke"}', "it broke"],
  [
    "text",
    `2026-01-01T00:00:00Z\tERROR\tReconciler error\t{"error":"it broke"}\n\tat error (a.ts)`,
    "it broke",
  ],
  ["text without fields", "2026-01-01T00:00:00Z\tERROR\tit broke", "it broke"],
  ["other lines", "TypeError: it broke\n    at error (a.ts)", "TypeError: it broke"],
  ["several lines in an error", '{"level":"error","error":"it\\n  broke"}', "it broke"],
])("finds an error in %s", (_, log, error) => {
  expect(lastErrorIn(`{"level":"error","error":"older"}\n${log}\n{"level":"info","msg":"no error"}\n`)).toBe(
    error,
  );
});

test("finds the last error that matches", () => {
  const log = ["a is forbidden", "b is forbidden", "c broke"]
    .map((error) => JSON.stringify({ level: "error", error }))
    .join("\n");
  expect(lastErrorIn(log, /forbidden/)).toBe("b is forbidden");
  expect(lastErrorIn(log, /missing/)).toBeUndefined();
  expect(lastErrorIn('{"level":"info","msg":"no error"}\n2026\tINFO\tno error')).toBeUndefined();
});

test("shortens a long error", () => {
  expect(lastErrorIn(JSON.stringify({ error: "x".repeat(1_000) }))).toMatch(/^x{300}…$/);
});
