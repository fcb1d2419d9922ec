import {
  ApiError,
  type Clock,
  createDeadline,
  createLineSplitter,
  type Status,
  type TimerHandle,
} from "@operator-path/client";
import { isOlder } from "./keys.ts";
import type { ListWatch } from "./list-watch.ts";
import { slice } from "./slice.ts";
import type { ReflectorSink } from "./store/sink.ts";
import { type EventSpan, emptyEventSpan, scanEvent } from "./wire/event-scan.ts";
import { textOf } from "./wire/object-span.ts";

export interface WatchIntoOptions {
  clock: Clock;
  resourceVersion: string;
  timeoutSeconds: number;
  sendInitialEvents: boolean;
  /** Accept the initial objects even if they are older than the known ones. */
  acceptOlder: boolean;
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
 * A server with WatchList sends the end when its cache has reached the requested version. The server waits at
 * most 3 s for that, as for any consistent read, and fails otherwise. Silence is not such a sign: the request
 * may be waiting in one of the server's queues (API Priority and Fairness).
 */
const endTimeout = 30_000;

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
  const initialEvents = createInitialEventBuffer(sink, options.acceptOlder ? "" : options.knownVersion);
  const overdue = new AbortController();
  let overdueTimer: TimerHandle | undefined;
  let isInitial = sendInitialEvents;
  let isOpen = false;
  const ended = AbortSignal.any([signal, deadline.signal, overdue.signal]);

  function onContact(): void {
    deadline.extend();
    options.onBytes();
  }

  function onEvent(line: Uint8Array, event: EventSpan): void {
    if (event.type === "ERROR") throw new ApiError(JSON.parse(textOf(line, event)) as Status);
    // Initial objects arrive in any order and may have any age.
    if (!isInitial && options.isStale(event.resourceVersion)) return;
    const isEnd = event.type === "BOOKMARK" && event.initialEventsEnd;
    if (isInitial && event.type !== "ADDED" && !isEnd)
      overdueTimer ??= clock.setTimeout(() => overdue.abort(), endTimeout);
    if (isInitial && event.type !== "BOOKMARK" && initialEvents.defer(line, event)) return;
    if (event.type === "DELETED") sink.delete(line, event);
    else if (event.type !== "BOOKMARK") sink.put(line, event);
    else if (isInitial && isEnd) {
      options.onInitialEventsEnd(event.resourceVersion);
      initialEvents.flush();
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
    onContact();
    if (isInitial) sink.begin(options.acceptOlder);
    await readEvents(body, onEvent, onContact).catch((error: unknown) => {
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

/** Initial objects that the sink must not receive yet. */
interface InitialEventBuffer {
  /** Buffers the object if it has to wait. Returns whether it did. */
  defer(line: Uint8Array, event: EventSpan): boolean;
  /** Puts all buffered objects into the sink. Call it once the stream has proved to be current. */
  flush(): void;
}

/**
 * Returns a buffer for the initial objects of a stream.
 *
 * A stream reports its version only at its end. A server that lags behind may send objects that were deleted
 * since, and the sink would report them as added. So an object that the sink does not have waits until the
 * end of the stream, unless it is newer than `known`. A server that is up to date sends newer ones only. If
 * versions are not numbers, every object that is new to the sink waits. If nothing is known (""), none waits.
 */
function createInitialEventBuffer(sink: ReflectorSink, known: string): InitialEventBuffer {
  const buffered = new Map<string, { line: Uint8Array; event: EventSpan }>();
  return {
    defer(line, event) {
      if (known === "") return false;
      if (event.type === "DELETED" || isOlder(known, event.resourceVersion)) {
        buffered.delete(event.key);
        return false;
      }
      if (sink.has(event.key)) return false;
      // The reader reuses the bytes and the span.
      buffered.set(event.key, { line: line.slice(), event: { ...event } });
      return true;
    },
    flush() {
      for (const { line, event } of buffered.values()) sink.put(line, event);
      buffered.clear();
    },
  };
}

/**
 * Passes each chunk of a body to a synchronous function, and yields to the event loop in between. Rejects
 * when the body breaks off or the function throws; the body is then closed.
 */
async function readChunks(
  body: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  for await (const chunk of body) {
    onChunk(chunk);
    // More data may already be waiting. The process must serve its timers and other streams in between.
    if (slice.isOver()) await slice.next();
  }
}
