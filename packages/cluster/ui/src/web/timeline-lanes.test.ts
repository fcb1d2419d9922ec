import { expect, test } from "vitest";
import type { TimelineEntry } from "../cluster/wire.ts";
import { lanesOf } from "./timeline-lanes.ts";

function entry(type: TimelineEntry["type"], by = ""): TimelineEntry {
  const object = { uid: "1", kind: "Order", namespace: "shop", name: "one" };
  return { ...object, seq: 1, at: 1, type, by, text: "" };
}
const names = (entries: readonly TimelineEntry[], most = 6) => lanesOf(entries, most).map(({ name }) => name);

test("an operator has a lane before its first reconcile", () => {
  expect(names([])).toEqual(["Changes", "Events"]);
  expect(names([entry("started")])).toEqual(["Changes", "Events", "Reconciles"]);
});

test("an operator's first write has a lane, however much Kubernetes writes", () => {
  const busy = ["kubelet", "kube-controller-manager", "kube-scheduler", "kube-apiserver"];
  const writes = busy.flatMap((by) => Array.from({ length: 9 }, () => entry("updated", by)));
  const all = [...writes, entry("added", "order-operator"), entry("added", "kubectl-create")];
  const lanes = lanesOf(all, 5);
  expect(lanes.map(({ name }) => name)).toEqual([
    ...["Changes", "Events", "kubectl-create", "order-operator", "4 others"],
  ]);
  expect(all.filter(lanes.at(-1)?.has ?? (() => false))).toHaveLength(36);
});
