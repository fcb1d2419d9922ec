import { isGone } from "@operator-path/client";
import { isAnswer, isRefusal, isStoreReadError, isThrottling, isTooLarge } from "./reflector-errors.ts";

/** How a reflector connects next, why, and the facts that decide it. Immutable: see `after`. */
export interface ReflectorState {
  /**
   * "resume" watches from the known version. The other two fetch everything: "stream" by a watch that starts
   * with the existing objects (WatchList), "list" in pages.
   */
  readonly how: "resume" | "stream" | "list";
  /** The reason, for people. */
  readonly why: string;
  /** The server has forgotten the known version, or has not reached it yet. Do not request it. */
  readonly isVersionUnknown: boolean;
  /** The server may support streams of initial objects. Once false, it stays false. */
  readonly streams: boolean;
  /** Consecutive streams that broke before the end of their initial objects. */
  readonly brokenStreams: number;
  /** Consecutive error answers without an event newer than the known version. */
  readonly fruitless: number;
  /** Consecutive answers older than the known version. */
  readonly olderAnswers: number;
}

/** What can happen to a reflector. */
export type ReflectorEvent =
  /** A list or a stream has delivered all objects. */
  | "listed"
  /** An event or bookmark newer than the known version. */
  | "progressed"
  /** A list or stream older than the known version. */
  | "older"
  /** The server ended the stream before the end of its initial objects. */
  | "stream ended"
  /** The server answered the request for initial objects as if it had not been made. */
  | "stream ignored"
  | { failed: Error };

const fruitlessLimit = 5;
const brokenStreamsLimit = 3;
const olderAnswersLimit = 4;

export function initialState(streams: boolean): ReflectorState {
  const counts = { brokenStreams: 0, fruitless: 0, olderAnswers: 0 };
  return everything(
    { how: "list", why: "", isVersionUnknown: false, streams, ...counts },
    "nothing listed yet",
  );
}

/** Returns the state after an event. Returns the same object if nothing changes. */
export function after(state: ReflectorState, event: ReflectorEvent): ReflectorState {
  switch (event) {
    case "listed":
      return {
        ...state,
        ...{ how: "resume", why: "list complete", isVersionUnknown: false },
        ...{ brokenStreams: 0, fruitless: 0, olderAnswers: 0 },
      };
    case "progressed":
      return state.fruitless === 0 ? state : { ...state, fruitless: 0 };
    case "older":
      return { ...state, olderAnswers: state.olderAnswers + 1 };
    case "stream ended":
      return everything(
        { ...state, brokenStreams: brokenStreamsLimit },
        "the stream ended before all initial objects arrived",
      );
    case "stream ignored":
      return everything({ ...state, streams: false }, "the server ignores sendInitialEvents");
    default:
      return afterFailure(state, event.failed);
  }
}

/** An older answer replaces the known version: the server has repeated it often enough. */
export const isOlderBelieved = ({ olderAnswers }: ReflectorState) => olderAnswers >= olderAnswersLimit;
/** The reflector will accept the next older answer. */
export const isNextOlderBelieved = ({ olderAnswers }: ReflectorState) =>
  olderAnswers >= olderAnswersLimit - 1;
/** The failure revealed what the server supports. Retry at once. */
export const hasLearnt = (before: ReflectorState, now: ReflectorState) => before.streams && !now.streams;

function everything(state: ReflectorState, why: string): ReflectorState {
  const { streams, brokenStreams } = state;
  return { ...state, why, how: streams && brokenStreams < brokenStreamsLimit ? "stream" : "list" };
}

function afterFailure(before: ReflectorState, error: Error): ReflectorState {
  const wasStream = before.how === "stream";
  // A server without WatchList: use lists.
  if (wasStream && isRefusal(error))
    return everything({ ...before, streams: false }, "the server rejects sendInitialEvents");
  const throttled = isThrottling(error);
  const state = {
    ...before,
    brokenStreams: before.brokenStreams + (wasStream && !throttled ? 1 : 0),
    // A list would put even more load on an overloaded server.
    fruitless: before.fruitless + (isAnswer(error) && !throttled ? 1 : 0),
    isVersionUnknown: before.isVersionUnknown || isGone(error) || isTooLarge(error),
  };
  if (isStoreReadError(error)) return everything(state, "the server cannot read a deleted object");
  if (isGone(error)) return everything(state, "the server has forgotten the known version");
  if (isTooLarge(error)) return everything(state, "the server has not reached the known version yet");
  if (state.how !== "resume") return everything(state, state.why);
  if (state.fruitless >= fruitlessLimit)
    return everything(state, "the server answers the watch only with errors");
  return state;
}
