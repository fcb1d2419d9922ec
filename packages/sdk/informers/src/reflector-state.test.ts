import { ApiError } from "@operator-path/client";
import { describe, expect, test } from "vitest";
import {
  after,
  hasLearnt,
  initialState,
  isNextOlderBelieved,
  type ReflectorEvent,
} from "./reflector-state.ts";
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

describe("a reflector begins next", () => {
  test.each<[string, ReflectorEvent[], string, string]>([
    ["at first", [], "stream", "nothing listed yet"],
    ["when everything is known", ["listed"], "resume", "list complete"],
    ["after a broken connection", ["listed", broken], "resume", "list complete"],
    ["however often", ["listed", ...times(50, broken)], "resume", "list complete"],
    ["after errors", ["listed", ...times(4, serverError)], "resume", "list complete"],
    [
      "after errors and nothing else",
      ["listed", ...times(5, serverError)],
      "stream",
      "the server answers the watch only with errors",
    ],
    [
      "after errors with events in between",
      ["listed", ...times(4, serverError), "progressed", ...times(4, serverError)],
      "resume",
      "list complete",
    ],
    ["when the server is busy", ["listed", ...times(50, busy)], "resume", "list complete"],
    ["after 410", ["listed", gone], "stream", "the server has forgotten the known version"],
    ["from the future", ["listed", tooLarge], "stream", "the server has not reached the known version yet"],
    ["after a corrupt object", ["listed", unreadable], "stream", "the server cannot read a deleted object"],
    ["where streams are refused", [refused], "list", "the server rejects sendInitialEvents"],
    [
      "after 410, where streams are refused",
      [refused, "listed", gone],
      "list",
      "the server has forgotten the known version",
    ],
    ["when a stream breaks", times(2, broken), "stream", "nothing listed yet"],
    ["when it does so again and again", times(3, broken), "list", "nothing listed yet"],
    ["when a stream meets a busy server", times(50, busy), "stream", "nothing listed yet"],
    [
      "when a stream ends too early",
      ["stream ended"],
      "list",
      "the stream ended before all initial objects arrived",
    ],
    [
      "when a stream brings no end of them",
      ["stream ignored"],
      "list",
      "the server ignores sendInitialEvents",
    ],
    ["ever after", ["stream ignored", "listed", gone], "list", "the server has forgotten the known version"],
    ["later on", ["stream ended", "listed", gone], "stream", "the server has forgotten the known version"],
    [
      "when a list breaks",
      ["stream ended", broken],
      "list",
      "the stream ended before all initial objects arrived",
    ],
  ])("%s", (_, events, how, why) => {
    expect(reach(events)).toMatchObject({ how, why });
  });

  test("with a list where streams are not wanted", () => {
    expect(reach([], false).how).toBe("list");
    expect(reach(["listed", gone], false).how).toBe("list");
  });
});

test.each<[string, ReflectorEvent[], boolean]>([
  ["is asked for", ["listed", broken, ...times(9, serverError)], false],
  ["that was forgotten is not", ["listed", gone], true],
  ["that the server has not seen is not", ["listed", tooLarge, broken], true],
  ["is asked for when it was listed again", ["listed", gone, "listed"], false],
])("the known version %s", (_, events, isVersionUnknown) => {
  expect(reach(events).isVersionUnknown).toBe(isVersionUnknown);
});

test("the fourth older answer in a row is believed", () => {
  const believes = (...events: ReflectorEvent[]) => isNextOlderBelieved(reach(["listed", ...events]));
  expect([believes("older", "older"), believes("older", "older", "older")]).toEqual([false, true]);
  expect(believes("older", "older", "listed", "older")).toBe(false);
});

test("a refusal teaches something, and only of a stream", () => {
  const streaming = reach([]);
  const listing = reach([refused]);
  expect(hasLearnt(streaming, listing)).toBe(true);
  expect(hasLearnt(listing, after(listing, refused))).toBe(false);
  expect(hasLearnt(streaming, after(streaming, serverError))).toBe(false);
});

test("progress that changes nothing makes no new state: there is one for each event of a watch", () => {
  const state = reach(["listed"]);
  expect(after(state, "progressed")).toBe(state);
});
