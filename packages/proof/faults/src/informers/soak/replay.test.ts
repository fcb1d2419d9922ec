import type { ConfigMap } from "@operator-path/client";
import { DeletedFinalStateUnknown } from "@operator-path/informers";
import { expect, test } from "vitest";
import { createReplay } from "./replay.ts";

const object = (resourceVersion: string, uid = "u1"): ConfigMap => ({
  metadata: { name: "a", namespace: "soak", uid, resourceVersion },
});

function replay(play: (handler: ReturnType<typeof createReplay<ConfigMap>>["objectHandler"]) => void) {
  const replayed = createReplay<ConfigMap>();
  play(replayed.objectHandler);
  return { wrong: replayed.wrong, state: [...replayed.state()], events: replayed.events };
}

test("consistent events lead to their state", () => {
  const { wrong, state, events } = replay((handler) => {
    handler.added?.(object("9"), true);
    handler.updated?.(object("9"), object("10"));
    handler.deleted?.(new DeletedFinalStateUnknown("soak/a", object("10")));
    handler.added?.(object("12", "u2"), false);
  });
  expect(wrong).toEqual([]);
  expect(state).toEqual([["soak/a", "u2 12"]]);
  expect(events).toBe(4);
});

test.each([
  ["it was at 10 already", object("10"), object("9")],
  ["it is u1", object("10"), object("11", "u2")],
])("an update that cannot have happened is wrong: %s", (words, old, now) => {
  const { wrong } = replay((handler) => {
    handler.added?.(old, false);
    handler.updated?.(old, now);
  });
  expect(wrong).toEqual([expect.stringContaining(words)]);
});

test("rejects an object that is added twice, deleted twice, or added with a version before its deletion", () => {
  const { wrong } = replay((handler) => {
    handler.added?.(object("5"), false);
    handler.added?.(object("6"), false);
    handler.deleted?.(object("8"));
    handler.deleted?.(object("8"));
    handler.added?.(object("7", "u2"), false);
  });
  expect(wrong.map((line) => line.split(": ")[1])).toEqual([
    "it exists already, as u1 5",
    "it does not exist",
    "its deletion was at 8",
  ]);
});
