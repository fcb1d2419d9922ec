import { expect, test } from "vitest";
import { matchLabels } from "./selectors.ts";

const labels = { app: "payment", env: "prod", empty: "" };

test.each([
  ["", true],
  ["app=payment", true],
  ["app==payment,env!=dev", true],
  ["app!=payment", false],
  ["missing!=x", true],
  ["env in (dev, prod),app", true],
  ["env notin (dev,prod)", false],
  ["!missing", true],
  ["!app", false],
  ["empty=", true],
  ["constructor", false],
])("%j → %j", (selector, expected) => expect(matchLabels(selector, labels)).toBe(expected));

test("requires all parts of a LabelSelector to match", () => {
  const matchExpressions = [{ key: "env", operator: "In", values: ["prod"] }];
  expect(matchLabels({ matchLabels: { app: "payment" }, matchExpressions }, labels)).toBe(true);
  expect(matchLabels({ matchLabels: { app: "store" }, matchExpressions }, labels)).toBe(false);
  expect(matchLabels({}, undefined)).toBe(true);
});

test("rejects an invalid selector", () => {
  expect(() => matchLabels("a b", labels)).toThrow('"a b" is not a label selector');
});
