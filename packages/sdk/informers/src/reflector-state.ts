import { ApiError, isGone } from "@operator-path/client";

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
  readonly errorAnswers: number;
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

const errorAnswersLimit = 5;
const brokenStreamsLimit = 3;
const olderAnswersLimit = 4;

export function initialState(streams: boolean): ReflectorState {
  const counts = { brokenStreams: 0, errorAnswers: 0, olderAnswers: 0 };
  return fetchAll(
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
        ...{ brokenStreams: 0, errorAnswers: 0, olderAnswers: 0 },
      };
    case "progressed":
      return state.errorAnswers === 0 ? state : { ...state, errorAnswers: 0 };
    case "older":
      return { ...state, olderAnswers: state.olderAnswers + 1 };
    case "stream ended":
      return fetchAll(
        { ...state, brokenStreams: brokenStreamsLimit },
        "the stream ended before all initial objects arrived",
      );
    case "stream ignored":
      return fetchAll({ ...state, streams: false }, "the server ignores sendInitialEvents");
    default:
      return afterFailure(state, event.failed);
  }
}

/** An older answer replaces the known version: the server has repeated it often enough. */
export const acceptsOlder = ({ olderAnswers }: ReflectorState) => olderAnswers >= olderAnswersLimit;
/** The reflector will accept the next older answer. */
export const acceptsNextOlder = ({ olderAnswers }: ReflectorState) => olderAnswers >= olderAnswersLimit - 1;
/** The failure revealed what the server supports. Retry at once. */
export const hasLearned = (before: ReflectorState, now: ReflectorState) => before.streams && !now.streams;

function fetchAll(state: ReflectorState, why: string): ReflectorState {
  const { streams, brokenStreams } = state;
  return { ...state, why, how: streams && brokenStreams < brokenStreamsLimit ? "stream" : "list" };
}

function afterFailure(before: ReflectorState, error: Error): ReflectorState {
  const wasStream = before.how === "stream";
  // A server without WatchList: use lists.
  if (wasStream && isRefusal(error))
    return fetchAll({ ...before, streams: false }, "the server rejects sendInitialEvents");
  const throttled = isThrottling(error);
  const state = {
    ...before,
    brokenStreams: before.brokenStreams + (wasStream && !throttled ? 1 : 0),
    // A list would put even more load on an overloaded server.
    errorAnswers: before.errorAnswers + (isAnswer(error) && !throttled ? 1 : 0),
    isVersionUnknown: before.isVersionUnknown || isGone(error) || isTooLarge(error),
  };
  if (isStoreReadError(error)) return fetchAll(state, "the server cannot read a deleted object");
  if (isGone(error)) return fetchAll(state, "the server has forgotten the known version");
  if (isTooLarge(error)) return fetchAll(state, "the server has not reached the known version yet");
  if (state.how !== "resume") return fetchAll(state, state.why);
  if (state.errorAnswers >= errorAnswersLimit)
    return fetchAll(state, "the server answers the watch only with errors");
  return state;
}

/** 400 or 422: the server does not know the parameter, or forbids it. */
function isRefusal(error: Error): boolean {
  return error instanceof ApiError && (error.code === 400 || error.code === 422);
}

function isThrottling(error: Error): boolean {
  return error instanceof ApiError && (error.code === 429 || error.code === 401);
}

/**
 * The server answered, with an error or with something that is not a watch event. A broken connection is not
 * an answer.
 */
function isAnswer(error: Error): boolean {
  return [ApiError, SyntaxError, RangeError, TypeError].some((type) => error instanceof type);
}

/**
 * The server cannot read an object that was deleted, and cannot say which one. Only a list shows what is
 * missing (KEP-3926, deletion of corrupt objects).
 */
function isStoreReadError(error: Error): boolean {
  return error instanceof ApiError && error.reason === "StorageReadError";
}

/**
 * The server has not reached this version yet: a 504 with the cause ResourceVersionTooLarge. A list without a
 * resourceVersion still works.
 */
function isTooLarge(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  const causes = error.status.details?.causes ?? [];
  return (
    causes.some(({ reason }) => reason === "ResourceVersionTooLarge") ||
    [error, ...causes].some(({ message }) => message?.includes("Too large resource version"))
  );
}
