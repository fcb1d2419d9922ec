import {
  ApiError,
  type Clock,
  createDeadline,
  createLineSplitter,
  type Status,
  type TimerHandle,
} from "@operator-path/client";
import type { ListWatch } from "./list-watch.ts";
import { readChunks } from "./read-chunks.ts";
import { createHeldBack } from "./reflector-held.ts";
import type { ReflectorSink } from "./reflector-sink.ts";
import { type EventSpan, emptyEventSpan, scanEvent } from "./wire/event-scan.ts";
import { textOf } from "./wire/text.ts";

export interface WatchIntoOptions {
  clock: Clock;
  resourceVersion: string;
  timeoutSeconds: number;
  sendInitialEvents: boolean;
  /** The initial objects are believed, however old they are. */
  isOlderTrusted: boolean;
  /** As of the last list, event or bookmark; "" for none. */
  knownVersion: string;
  /** Milliseconds without a byte after which the connection counts as dead. Default 180,000. */
  silence?: number | undefined;
  signal: AbortSignal;
  /** The server has said 200. */
  onOpen(): void;
  onBytes(): void;
  /** Whether a version is older than what is known. */
  isStale(version: string): boolean;
  /** Every object that there was has been put; what it throws ends the watch. */
  onInitialEventsEnd(version: string): void;
  /** The version of an event or bookmark that was not stale. */
  onVersion(version: string): void;
}

/**
 * How a watch ended, when nothing went wrong: the server ended it; it was silent for too long; or the end of its initial
 * objects is overdue, since the server has ignored that they were asked for.
 */
export type WatchEnd = "closed" | "silent" | "overdue";

/**
 * Milliseconds from the first sign that the initial objects are over (an event other than ADDED, or a bookmark that is not
 * their end) until their end is overdue. A server that has WatchList sends it when its cache has come to the version of
 * the request: within 3 s, or it could answer no consistent read either. So mere silence is no such sign, nor is one that
 * lasts while the request waits in a queue of the server's (API Priority and Fairness).
 */
const endIsDue = 30_000;

/**
 * One watch from its request to its end, put into a sink. Throws when there is no answer, when the server refuses, sends
 * an ERROR or what is no event, and when the connection breaks.
 */
export async function watchInto(
  sink: ReflectorSink,
  source: ListWatch,
  options: WatchIntoOptions,
): Promise<WatchEnd> {
  const { clock, signal, silence = 180_000, resourceVersion, timeoutSeconds, sendInitialEvents } = options;
  const deadline = createDeadline(clock, silence, `no answer to the watch for ${silence / 1000} s`);
  const heldBack = createHeldBack(sink, options.isOlderTrusted ? "" : options.knownVersion);
  const overdue = new AbortController();
  let overdueTimer: TimerHandle | undefined;
  let isInitial = sendInitialEvents;
  let isOpen = false;
  const ended = AbortSignal.any([signal, deadline.signal, overdue.signal]);

  function heard(): void {
    deadline.extend();
    options.onBytes();
  }

  function onEvent(line: Uint8Array, event: EventSpan): void {
    if (event.type === "ERROR") throw new ApiError(JSON.parse(textOf(line, event)) as Status);
    // Initial objects come in any order, and may be as old as they like.
    if (!isInitial && options.isStale(event.resourceVersion)) return;
    const isEnd = event.type === "BOOKMARK" && event.initialEventsEnd;
    if (isInitial && event.type !== "ADDED" && !isEnd)
      overdueTimer ??= clock.setTimeout(() => overdue.abort(), endIsDue);
    if (isInitial && event.type !== "BOOKMARK" && heldBack.holds(line, event)) return;
    if (event.type === "DELETED") sink.delete(line, event);
    else if (event.type !== "BOOKMARK") sink.put(line, event);
    else if (isInitial && isEnd) {
      options.onInitialEventsEnd(event.resourceVersion);
      heldBack.release();
      sink.end();
      isInitial = false;
      clock.clearTimeout(overdueTimer);
    }
    if (!isInitial) options.onVersion(event.resourceVersion);
  }

  try {
    const request = { resourceVersion, timeoutSeconds, ...(sendInitialEvents && { sendInitialEvents }) };
    const body = await source.watch(request, ended);
    isOpen = true;
    options.onOpen();
    heard();
    if (isInitial) sink.begin(options.isOlderTrusted);
    await readEvents(body, onEvent, heard).catch((error: unknown) => {
      throw isSocketError(error)
        ? new Error(`the watch broke off: ${error.message}`, { cause: error })
        : error;
    });
    return "closed";
  } catch (error) {
    // A stream that was aborted says so, and not why: the signal knows.
    signal.throwIfAborted();
    if (overdue.signal.aborted) return "overdue";
    if (deadline.signal.aborted && isOpen) return "silent";
    deadline.signal.throwIfAborted();
    throw error;
  } finally {
    deadline.clear();
    clock.clearTimeout(overdueTimer);
  }
}

function readEvents(
  body: AsyncIterable<Uint8Array>,
  onEvent: (line: Uint8Array, event: EventSpan) => void,
  onBytes: () => void,
): Promise<void> {
  const span = emptyEventSpan();
  const splitter = createLineSplitter((line) => onEvent(line, scanEvent(line, span)));
  return readChunks(body, (chunk) => {
    onBytes();
    splitter.push(chunk);
  });
}

/** Of a connection that breaks in the middle of a response, node says no more than "aborted". */
function isSocketError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
