import { expect, test } from "vitest";
import type { EventView, TimelineEntry } from "../cluster/wire.ts";
import { eventsAsOf } from "./events-as-of.ts";

const listed = (reason: string, at: number, count = 1): EventView => ({
  ...{ reason, message: "because", at, count, warning: false, source: "kubelet" },
});
const entry = (seq: number, reason: string, count = 1): TimelineEntry => ({
  ...{ seq, at: 1000 * seq, uid: "1", kind: "Pod", namespace: "shop", name: "web", type: "event" },
  ...{ by: "kubelet", text: `${reason}: because`, count },
});
const seen = (...args: Parameters<typeof eventsAsOf>) =>
  eventsAsOf(...args).map(({ reason, at, count }) => [reason, at, count]);

const entries = [entry(1, "Scheduled"), entry(2, "BackOff"), entry(3, "Started"), entry(4, "BackOff", 2)];
const now = [listed("BackOff", 4000, 2), listed("Started", 3000), listed("Scheduled", 1000)];

test("now, all Events are shown", () => {
  expect(eventsAsOf(now, entries, undefined)).toEqual(now);
});

test("of a moment, later Events are missing, and repeated ones have their count of then", () => {
  expect(seen(now, entries, 0)).toEqual([]);
  expect(seen(now, entries, 2)).toEqual([
    ["BackOff", 2000, 1],
    ["Scheduled", 1000, 1],
  ]);
  expect(seen(now, entries, 4).map(([reason, , count]) => [reason, count])).toEqual([
    ["BackOff", 2],
    ["Started", 1],
    ["Scheduled", 1],
  ]);
});

test("an Event that the server no longer lists is shown from the history", () => {
  expect(seen([], entries, 1)).toEqual([["Scheduled", 1000, 1]]);
});

test("an Event from before the history is shown, without a time if it has occurred again since", () => {
  const older = [listed("Pulled", 500), listed("Unhealthy", 9000, 7)];
  expect(seen(older, [...entries, entry(9, "Unhealthy", 7)], 0)).toEqual([
    ["Pulled", 500, 1],
    ["Unhealthy", undefined, 6],
  ]);
});

test("the message of an Event may contain a colon", () => {
  const failed = { ...entry(1, "Failed"), text: "Failed: image: not found" };
  expect(eventsAsOf([], [failed], 1)).toMatchObject([{ reason: "Failed", message: "image: not found" }]);
});
