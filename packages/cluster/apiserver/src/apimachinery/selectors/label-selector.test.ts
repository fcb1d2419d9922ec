import { expect, test } from "vitest";
import type { JsonObject } from "../../lib/json/json.ts";
import { matchesLabelSelector } from "./label-selector.ts";

test.each<[string, JsonObject | undefined, boolean]>([
  ["none at all", undefined, false],
  ["an empty one", {}, true],
  ["a label", { matchLabels: { app: "a" } }, true],
  ["another value", { matchLabels: { app: "b" } }, false],
  ["Exists", { matchExpressions: [{ key: "app", operator: "Exists" }] }, true],
  ["NotIn", { matchExpressions: [{ key: "app", operator: "NotIn", values: ["a"] }] }, false],
  ...["constructor", "toString", "__proto__"].flatMap((key): [string, JsonObject, boolean][] => [
    [`Exists of ${key}`, { matchExpressions: [{ key, operator: "Exists" }] }, false],
    [`DoesNotExist of ${key}`, { matchExpressions: [{ key, operator: "DoesNotExist" }] }, true],
  ]),
])("%s", (_what, selector, expected) => {
  expect(matchesLabelSelector(selector, { app: "a" })).toBe(expected);
});
