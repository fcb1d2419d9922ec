import { expect, test } from "vitest";
import { isHeartbeat, summarizeChange, writerOf } from "./change-summary.ts";

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

test("tells managers that write in the same second apart by the fields that they own", () => {
  const time = "2026-01-01T00:00:01Z";
  const controller = { manager: "controller", time, fieldsV1: { "f:spec": { "f:image": {} } } };
  const kubelet = { manager: "kubelet", time, fieldsV1: { "f:status": { "f:phase": {} } } };
  const metadata = { managedFields: [controller, kubelet] };
  const write = (before: object, after: object) => writerOf(metadata, metadata, [before, after]);
  expect(write({ status: { phase: "Pending" } }, { status: { phase: "Running" } })).toBe("kubelet");
  expect(write({ status: { phase: "Pending" } }, { status: {} })).toBe("kubelet");
  expect(write({ spec: { image: "a" } }, { spec: { image: "b" } })).toBe("controller");
  expect(write({ spec: { image: "a" } }, { spec: { image: "a", nodeName: "n" } })).toBe("");
});

test("tells heartbeats from other changes", () => {
  const node = (lastHeartbeatTime: string, status = "True") => ({
    kind: "Node",
    metadata: { resourceVersion: lastHeartbeatTime },
    status: { conditions: [{ type: "Ready", status, lastHeartbeatTime }] },
  });
  const lease = (renewTime: string, holderIdentity = "a") => ({
    ...{ kind: "Lease", spec: { renewTime, holderIdentity } },
  });
  const backup = (renewTime: string) => ({ kind: "Backup", spec: { renewTime } });
  expect(isHeartbeat(node("1"), node("2"))).toBe(true);
  expect(isHeartbeat(lease("1"), lease("2"))).toBe(true);
  expect(isHeartbeat(node("1"), node("2", "False"))).toBe(false);
  expect(isHeartbeat(lease("1"), lease("2", "b"))).toBe(false);
  expect(isHeartbeat(backup("1"), backup("2"))).toBe(false);
  expect(isHeartbeat(node("1"), { ...node("1"), metadata: { resourceVersion: "2" } })).toBe(false);
});
