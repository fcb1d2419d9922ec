import { expect, test } from "vitest";
import { summarizeChange, writerOf } from "./change-summary.ts";

test("names the fields that differ, with both values", () => {
  const before = { metadata: { resourceVersion: "1" }, status: { phase: "Pending", old: 1 } };
  const after = { metadata: { resourceVersion: "2" }, status: { phase: "Running", podIP: "10.0.0.1" } };
  expect(summarizeChange(before, after)).toBe(
    "status.phase: Pending → Running, status.old: 1 → –, status.podIP: – → 10.0.0.1",
  );
});

test("names conditions by their type, and containers by their name", () => {
  const conditions = (status: string) => ({ status: { conditions: [{ type: "Ready", status }] } });
  expect(summarizeChange(conditions("False"), conditions("True"))).toBe(
    "status.conditions[Ready].status: False → True",
  );
});

test("shortens long values and long lists", () => {
  const many = (value: string) => ({ data: { a: value, b: value, c: value, d: value, e: value } });
  const line = summarizeChange(many("x".repeat(100)), many("y"));
  expect(line).toMatch(/^data\.a: x{39}… → y, .* → y, 2 more$/);
});

test("says nothing about a write that changes nothing else", () => {
  expect(
    summarizeChange({ metadata: { resourceVersion: "1" } }, { metadata: { resourceVersion: "2" } }),
  ).toBe("");
});

test("finds the manager that wrote", () => {
  const kubectl = { manager: "kubectl", time: "2026-01-01T00:00:09Z", fieldsV1: { a: {} } };
  const operator = { manager: "operator", time: "2026-01-01T00:00:01Z", fieldsV1: { b: {} } };
  expect(writerOf(undefined, { managedFields: [operator, kubectl] })).toBe("kubectl");
  expect(writerOf({ managedFields: [kubectl] }, { managedFields: [kubectl, operator] })).toBe("operator");
  const again = { ...operator, fieldsV1: { b: {}, c: {} } };
  expect(writerOf({ managedFields: [kubectl, operator] }, { managedFields: [kubectl, again] })).toBe(
    "operator",
  );
  const taken = { ...kubectl, fieldsV1: {} };
  expect(
    writerOf({ managedFields: [kubectl] }, { managedFields: [taken, { ...operator, time: kubectl.time }] }),
  ).toBe("operator");
  expect(writerOf(undefined, {})).toBe("");
});
