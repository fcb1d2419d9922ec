import { expect, test } from "vitest";
import { createTimeline } from "./timeline.ts";
import type { TimelineEntry } from "./wire.ts";

const second = Date.UTC(2026, 0, 1, 12, 0, 1);

function entryOf(name: string, at: number): Omit<TimelineEntry, "seq"> {
  return { uid: name, kind: "Pod", namespace: "shop", name, at, type: "updated", by: "", text: "" };
}

const change = (name: string, revision: number, at: number) => ({
  ...{ entry: entryOf(name, at), revision, before: undefined, after: undefined },
});

test("puts an Event of the past after the writes before it, and within its second", () => {
  const { history, addPast } = createTimeline(100, 1000);
  const changes = [
    change("first", 11, second),
    change("second", 13, second + 500),
    change("later", 20, second + 1000),
  ];
  addPast({ base: [], changes }, [
    { entry: entryOf("of the first", second), revision: 12 },
    { entry: entryOf("of the second", second), revision: 14 },
    { entry: entryOf("written late", second), revision: 21 },
    { entry: entryOf("a reconcile", second + 250) },
  ]);
  expect(history.entries.map(({ name, at }) => [name, at - second])).toEqual([
    ["first", 0],
    ["of the first", 0],
    ["a reconcile", 250],
    ["second", 500],
    ["of the second", 500],
    ["written late", 999],
    ["later", 1000],
  ]);
});
