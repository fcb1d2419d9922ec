import { isGone } from "@operator-path/client";
import { isAnswer, isRefusal, isStoreReadError, isThrottling, isTooLarge } from "./reflector-errors.ts";

/** How a reflector begins next, why, and what it has learnt that this follows from. Never changed: see `after`. */
export interface ReflectorState {
  /**
   * "resume": watch what has happened since the known version. Otherwise everything that there is: "stream" by a watch
   * that begins with it (WatchList), "list" in pages.
   */
  readonly how: "resume" | "stream" | "list";
  /** For people. */
  readonly why: string;
  /** The server has forgotten the known version, or not seen it yet: it is not to be asked for. */
  readonly isVersionUnknown: boolean;
  /** The server streams initial objects, as far as is known. Once false, for good. */
  readonly streams: boolean;
  /** Streams of initial objects in a row that did not come to their end. */
  readonly brokenStreams: number;
  /** Errors in a row that a server answered with, and not one event newer than what is known. */
  readonly fruitless: number;
  /** Answers in a row that were older than what is known. */
  readonly olderAnswers: number;
}

/** What happens to a reflector. */
export type ReflectorEvent =
  /** Everything that there is has come, by a list or a stream. */
  | "listed"
  /** An event or bookmark of a newer version than the known one. */
  | "progressed"
  /** A list or stream is older than what is known. */
  | "older"
  /** The server ended the stream before the initial objects did. */
  | "stream ended"
  /** The server was there, and took no notice of being asked for the initial objects and their end. */
  | "stream ignored"
  | { failed: Error };

const fruitlessLimit = 5;
const brokenStreamsLimit = 3;
const olderAnswersLimit = 4;

export function initialState(streams: boolean): ReflectorState {
  const counts = { brokenStreams: 0, fruitless: 0, olderAnswers: 0 };
  return everything(
    { how: "list", why: "", isVersionUnknown: false, streams, ...counts },
    "nothing is known",
  );
}

/** Where an event leads. The same state where it changes nothing. */
export function after(state: ReflectorState, event: ReflectorEvent): ReflectorState {
  switch (event) {
    case "listed":
      return {
        ...state,
        ...{ how: "resume", why: "everything is known", isVersionUnknown: false },
        ...{ brokenStreams: 0, fruitless: 0, olderAnswers: 0 },
      };
    case "progressed":
      return state.fruitless === 0 ? state : { ...state, fruitless: 0 };
    case "older":
      return { ...state, olderAnswers: state.olderAnswers + 1 };
    case "stream ended":
      return everything(
        { ...state, brokenStreams: brokenStreamsLimit },
        "the stream ended before its objects",
      );
    case "stream ignored":
      return everything(
        { ...state, streams: false },
        "the server ignores that initial objects are asked for",
      );
    default:
      return afterFailure(state, event.failed);
  }
}

/** What is older than the known version takes its place: so many answers have said so that it is what there is. */
export const isOlderBelieved = ({ olderAnswers }: ReflectorState) => olderAnswers >= olderAnswersLimit;
/** The next older answer will be believed. */
export const isNextOlderBelieved = ({ olderAnswers }: ReflectorState) =>
  olderAnswers >= olderAnswersLimit - 1;
/** A failure that taught something, after which there is nothing to wait for. */
export const hasLearnt = (before: ReflectorState, now: ReflectorState) => before.streams && !now.streams;

function everything(state: ReflectorState, why: string): ReflectorState {
  const { streams, brokenStreams } = state;
  return { ...state, why, how: streams && brokenStreams < brokenStreamsLimit ? "stream" : "list" };
}

function afterFailure(before: ReflectorState, error: Error): ReflectorState {
  const wasStream = before.how === "stream";
  // A server of before WatchList, or without it: lists do.
  if (wasStream && isRefusal(error))
    return everything({ ...before, streams: false }, "the server refuses streams of initial objects");
  const throttled = isThrottling(error);
  const state = {
    ...before,
    brokenStreams: before.brokenStreams + (wasStream && !throttled ? 1 : 0),
    // A list would ask even more of a server that has too much to do.
    fruitless: before.fruitless + (isAnswer(error) && !throttled ? 1 : 0),
    isVersionUnknown: before.isVersionUnknown || isGone(error) || isTooLarge(error),
  };
  if (isStoreReadError(error)) return everything(state, "an object that is gone cannot be read");
  if (isGone(error)) return everything(state, "the server has forgotten the known version");
  if (isTooLarge(error)) return everything(state, "the server has not seen the known version yet");
  if (state.how !== "resume") return everything(state, state.why);
  if (state.fruitless >= fruitlessLimit)
    return everything(state, "the watch is answered with nothing but errors");
  return state;
}
