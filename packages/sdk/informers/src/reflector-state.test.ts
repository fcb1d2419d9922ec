import { ApiError } from "@operator-path/client";
import { describe, expect, test } from "vitest";
import { acceptsNextOlder, after, hasLearned, initialState, type ReflectorEvent } from "./reflector-state.ts";
import { refusal } from "./testing/scripted-source.ts";

const failed = (error: Error): ReflectorEvent => ({ failed: error });
const broken = failed(new Error("ECONNRESET"));
const serverError = failed(refusal(500, "InternalError"));
const busy = failed(refusal(429, "TooManyRequests"));
const gone = failed(refusal(410, "Expired"));
const refused = failed(refusal(422, "Invalid"));
const tooLarge = failed(new ApiError({ code: 504, message: "Too large resource version: 7, current: 5" }));
const unreadable = failed(refusal(500, "StorageReadError"));
const times = (count: number, event: ReflectorEvent) => Array.from({ length: count }, () => event);

const reach = (events: ReflectorEvent[], streams = true) => events.reduce(after, initialState(streams));

describe("the next connection of a reflector", () => {
  test.each<[string, ReflectorEvent[], string, string]>([
    ["is a stream at the start", [], "stream", "nothing listed yet"],
    ["is a watch after a complete list", ["listed"], "resume", "list complete"],
    ["is a watch after a broken connection", ["listed", broken], "resume", "list complete"],
    [
      "is a watch after any number of broken connections",
      ["listed", ...times(50, broken)],
      "resume",
      "list complete",
    ],
    ["is a watch after a few errors", ["listed", ...times(4, serverError)], "resume", "list complete"],
    [
      "is a stream after five errors in a row",
      ["listed", ...times(5, serverError)],
      "stream",
      "the server answers the watch only with errors",
    ],
    [
      "is a watch after errors with progress in between",
      ["listed", ...times(4, serverError), "progressed", ...times(4, serverError)],
      "resume",
      "list complete",
    ],
    ["is a watch while the server is busy", ["listed", ...times(50, busy)], "resume", "list complete"],
    ["is a stream after a 410", ["listed", gone], "stream", "the server has forgotten the known version"],
    [
      "is a stream after a version that is too large",
      ["listed", tooLarge],
      "stream",
      "the server has not reached the known version yet",
    ],
    [
      "is a stream after the deletion of a corrupt object",
      ["listed", unreadable],
      "stream",
      "the server cannot read a deleted object",
    ],
    ["is a list after a refused stream", [refused], "list", "the server rejects sendInitialEvents"],
    [
      "is a list after a 410, if streams are refused",
      [refused, "listed", gone],
      "list",
      "the server has forgotten the known version",
    ],
    ["is a stream after two broken streams", times(2, broken), "stream", "nothing listed yet"],
    ["is a list after three broken streams", times(3, broken), "list", "nothing listed yet"],
    ["is a stream while the server is busy", times(50, busy), "stream", "nothing listed yet"],
    [
      "is a list after a stream that ended early",
      ["stream ended"],
      "list",
      "the stream ended before all initial objects arrived",
    ],
    [
      "is a list after a stream without an end of initial objects",
      ["stream ignored"],
      "list",
      "the server ignores sendInitialEvents",
    ],
    [
      "is a list after any later 410 too",
      ["stream ignored", "listed", gone],
      "list",
      "the server has forgotten the known version",
    ],
    [
      "is a stream again after a later 410",
      ["stream ended", "listed", gone],
      "stream",
      "the server has forgotten the known version",
    ],
    [
      "is a list again after a broken list",
      ["stream ended", broken],
      "list",
      "the stream ended before all initial objects arrived",
    ],
  ])("%s", (_, events, how, why) => {
    expect(reach(events)).toMatchObject({ how, why });
  });

  test("is a list if streams are disabled", () => {
    expect(reach([], false).how).toBe("list");
    expect(reach(["listed", gone], false).how).toBe("list");
  });
});

test.each<[string, ReflectorEvent[], boolean]>([
  ["is requested after failures", ["listed", broken, ...times(9, serverError)], false],
  ["is not requested after a 410", ["listed", gone], true],
  ["is not requested if the server has not reached it", ["listed", tooLarge, broken], true],
  ["is requested after another list", ["listed", gone, "listed"], false],
])("the known version %s", (_, events, isVersionUnknown) => {
  expect(reach(events).isVersionUnknown).toBe(isVersionUnknown);
});

test("accepts the fourth consecutive older answer", () => {
  const believes = (...events: ReflectorEvent[]) => acceptsNextOlder(reach(["listed", ...events]));
  expect([believes("older", "older"), believes("older", "older", "older")]).toEqual([false, true]);
  expect(believes("older", "older", "listed", "older")).toBe(false);
});

test("learns only from a refused stream", () => {
  const streaming = reach([]);
  const listing = reach([refused]);
  expect(hasLearned(streaming, listing)).toBe(true);
  expect(hasLearned(listing, after(listing, refused))).toBe(false);
  expect(hasLearned(streaming, after(streaming, serverError))).toBe(false);
});

test("returns the same state for progress that changes nothing, as for every event of a watch", () => {
  const state = reach(["listed"]);
  expect(after(state, "progressed")).toBe(state);
});
