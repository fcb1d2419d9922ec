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

test("an Event that occurs again is shown once, with its latest count", () => {
  const event = (seq: number, count: number, text: string): TimelineEntry => ({
    ...entry(seq),
    ...{ type: "event", count, text },
  });
  const { shown } = feedEntries(
    [event(1, 1, "Pulled"), event(2, 1, "BackOff"), entry(3), event(4, 2, "BackOff"), event(5, 3, "BackOff")],
    false,
  );
  expect(shown.map(({ seq }) => seq)).toEqual([5, 3, 1]);
});

test("an Event that began again after it had expired is shown twice", () => {
  const event = (seq: number, count: number): TimelineEntry => ({ ...entry(seq), type: "event", count });
  const { shown } = feedEntries([event(1, 1), event(2, 2), event(3, 1), event(4, 2)], false);
  expect(shown.map(({ seq }) => seq)).toEqual([4, 2]);
});
