import fc from "fast-check";
import { expect, test } from "vitest";
import { createHistory } from "./history.ts";
import type { ObjectView, TimelineEntry } from "./wire.ts";

const view = (uid: string, resourceVersion: string): ObjectView => ({
  ...{ uid, apiVersion: "v1", kind: "Pod", namespace: "shop", name: uid, resourceVersion, created: 0 },
  ...{ owners: [], status: { tone: "ok", word: "", detail: "" } },
});

function entry(seq: number, type: TimelineEntry["type"], uid: string): TimelineEntry {
  const changed = type === "added" || type === "updated";
  return {
    ...{ seq, at: seq * 10, uid, kind: "Pod", namespace: "shop", name: uid, type, by: "", text: "" },
    ...(changed && { view: view(uid, String(seq)) }),
  };
}

const versions = (objects: ReadonlyMap<string, ObjectView>) =>
  Object.fromEntries([...objects].map(([uid, { resourceVersion }]) => [uid, resourceVersion]));

test("shows the objects at each time", () => {
  const history = createHistory(100, [view("a", "0")]);
  history.push(entry(1, "added", "b"));
  history.push(entry(2, "updated", "a"));
  history.push(entry(3, "event", "a"));
  history.push(entry(4, "deleted", "a"));
  expect(versions(history.at(9))).toEqual({ a: "0" });
  expect(versions(history.at(10))).toEqual({ a: "0", b: "1" });
  expect(versions(history.at(35))).toEqual({ a: "2", b: "1" });
  expect(versions(history.at(40))).toEqual({ b: "1" });
  expect(versions(history.now)).toEqual({ b: "1" });
});

test("keeps no more than the limit and its slack, and stays right within it", () => {
  const types = fc.constantFrom("added" as const, "updated" as const, "deleted" as const, "event" as const);
  const changes = fc.array(fc.tuple(types, fc.constantFrom("a", "b", "c", "d")), { maxLength: 200 });
  fc.assert(
    fc.property(changes, fc.integer({ min: 1, max: 40 }), (all, limit) => {
      const history = createHistory(limit, [view("a", "0")]);
      const whole = createHistory(1000, [view("a", "0")]);
      for (const [index, [type, uid]] of all.entries()) {
        const next = entry(index + 1, type, uid);
        history.push(next);
        whole.push(next);
        expect(history.entries.length).toBeLessThan(limit + 16 + limit);
      }
      expect(versions(history.now)).toEqual(versions(whole.now));
      for (const { at } of history.entries) expect(versions(history.at(at))).toEqual(versions(whole.at(at)));
      const [first] = history.entries;
      if (!first) return;
      const base = new Map(history.base().map((object) => [object.uid, object]));
      expect(versions(base)).toEqual(versions(whole.at(first.at - 1)));
    }),
  );
});
