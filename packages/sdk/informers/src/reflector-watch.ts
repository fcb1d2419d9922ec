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
  /** Accept the initial objects even if they are older than the known ones. */
  isOlderTrusted: boolean;
  /** The resourceVersion of the last list, event or bookmark; "" before the first. */
  knownVersion: string;
  /** Milliseconds without a byte after which the connection counts as dead. Default 180,000. */
  silence?: number | undefined;
  signal: AbortSignal;
  /** Called when the server has answered 200. */
  onOpen(): void;
  onBytes(): void;
  /** Returns whether a version is older than the known one. */
  isStale(version: string): boolean;
  /** Called when all initial objects have arrived. If it throws, the watch ends. */
  onInitialEventsEnd(version: string): void;
  /** Called with the version of each event or bookmark that is not stale. */
  onVersion(version: string): void;
}

/**
 * How a watch ended without an error. "closed": the server ended it. "silent": no byte arrived for too long.
 * "overdue": the server never sent the end of the initial objects, so it ignores that parameter.
 */
export type WatchEnd = "closed" | "silent" | "overdue";

/**
 * Milliseconds that the end of the initial objects may take after the first sign that they are complete. Such
 * a sign is an event other than ADDED, or a bookmark other than their end.
 *
 * A server with WatchList sends the end when its cache has reached the requested version. That takes at most
 * 3 s, or the server could not answer a consistent read either. Silence is no such sign: the request may be
 * waiting in one of the server's queues (API Priority and Fairness).
 */
const endIsDue = 30_000;

/**
 * Runs one watch from its request to its end, and puts its events into a sink. Throws when the server does
 * not answer, refuses the request, sends an ERROR or something that is not a watch event, and when the
 * connection breaks.
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
    // Initial objects arrive in any order and may have any age.
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
    // An aborted stream only says that it was aborted. The signals know why.
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

/** When a connection breaks in the middle of a response, the message of Node's error is just "aborted". */
function isSocketError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
