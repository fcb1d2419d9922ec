import { expect, test } from "vitest";
import { compileExpression } from "./environment.ts";
import { dyn } from "./types.ts";

test("evaluates an expression over JSON, and reports why it has no value", () => {
  const variables = { object: dyn };
  const program = compileExpression("object.spec.replicas <= 3 && has(object.metadata.labels)", {
    variables,
  });
  const object = { spec: { replicas: 2 }, metadata: { labels: {} } };
  expect(program.evaluate({ object })).toBe(true);
  expect(program.evaluate({ object: { ...object, spec: { replicas: 5 } } })).toBe(false);
  expect(() => program.evaluate({ object: { metadata: { labels: {} } } })).toThrow("no such key: spec");
});
