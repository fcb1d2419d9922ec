import { expect, test } from "vitest";
import type { TimelineEntry } from "../cluster/wire.ts";
import { feedEntries } from "./feed-entries.ts";

const entry = (seq: number, heartbeat = false): TimelineEntry => ({
  ...{ seq, at: seq, uid: "1", kind: "Node", namespace: "", name: "node-1", type: "updated", by: "kubelet" },
  ...{ text: "", ...(heartbeat && { heartbeat }) },
});

test("heartbeats are left out and counted, however many came after the other changes", () => {
  const many = [entry(1), entry(2), ...Array.from({ length: 500 }, (_, index) => entry(3 + index, true))];
  const { shown, heartbeats } = feedEntries(many, false);
  expect(shown.map(({ seq }) => seq)).toEqual([2, 1]);
  expect(heartbeats).toBe(500);
});

test("heartbeats are shown on request, newest first", () => {
  const { shown } = feedEntries([entry(1), entry(2, true), entry(3)], true);
  expect(shown.map(({ seq }) => seq)).toEqual([3, 2, 1]);
});
