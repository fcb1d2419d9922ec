import { ApiStatusError, expired, tooLargeResourceVersion } from "../../apimachinery/errors.ts";
import { startTimer } from "../../lib/clock.ts";
import type { ReplySink } from "../http/outlet.ts";
import type { StreamReply } from "../http/reply.ts";
import { type ListOptions, parseListOptions, parseResourceVersion } from "../registry/options.ts";
import type { Scope } from "../registry/scope.ts";
import { type Selection, select } from "../registry/selection.ts";
import type { View } from "../registry/view.ts";
import type { StoreEvent } from "../storage/history.ts";
import { CompactedError, type Store } from "../storage/store.ts";
import { createStoredObject, type StoredObject } from "../storage/stored-object.ts";
import type { TypeRegistry } from "../types/registry.ts";
import { createEncoder, type Encoder, errorEvent, type TableContext } from "./encoder.ts";

const bookmarkInterval = 60_000;
/**
 * The last bookmark is sent this long before the end, in ms, so that the client resumes from a recent
 * revision.
 */
const bookmarkBeforeEnd = 2_000;
/**
 * A client that falls further behind is disconnected, as a real server ends a watch with a full buffer. It
 * resumes or lists again. The initial objects do not count.
 */
const maximumBytesBehind = 32 * 1024 * 1024;
/** The default length of the store's history: a client that falls further behind has missed some events. */
const maximumEventsBehind = 10_000;
/**
 * Beyond this many bytes behind, lines for one client are encoded only after it has read the earlier ones.
 */
const encodedAhead = 64 * 1024;

/** The parts of the server that a watch uses. */
export interface WatchContext extends TableContext {
  readonly store: Store;
  readonly registry: TypeRegistry;
  /** In [0, 1), for the timeout of a watch without one. */
  readonly random: () => number;
  readonly log: (line: string) => void;
}

/**
 * Streams changes as lines of JSON. Without a resourceVersion (or with 0, or sendInitialEvents) the existing
 * objects come first, as ADDED. Otherwise the stream contains exactly the writes after that version. A
 * compacted version gets one ERROR event with a 410 Status.
 *
 * A watch of a custom resource ends when the spec of its CRD changes or the CRD is deleted. It sends all
 * earlier events first.
 */
export function handleWatch(context: WatchContext, scope: Scope, view: View): StreamReply {
  const options = parseListOptions(scope.request.query);
  const encoder = createEncoder(context, view, scope.request);
  const selection = select(scope, context.kindOf(scope.type), options);
  const requested = parseResourceVersion(options.resourceVersion);
  if (options.sendInitialEvents && requested > context.store.revision) {
    throw tooLargeResourceVersion(requested, context.store.revision);
  }
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    kind: "watch",
    stream: (sink) => runWatch({ context, scope, view, options, encoder, selection, requested, sink }),
  };
}

interface WatchRun {
  context: WatchContext;
  scope: Scope;
  view: View;
  options: ListOptions;
  encoder: Encoder;
  selection: Selection;
  requested: number;
  sink: ReplySink;
}

async function runWatch(run: WatchRun): Promise<void> {
  const { context, scope, view, options, encoder, selection, requested, sink } = run;
  const { store, clock } = context;
  // Long watches end at different times (30–60 min), so that clients do not all reconnect at once.
  const seconds = options.timeoutSeconds || 1800 + Math.floor(context.random() * 1800);
  let sent = requested;

  await new Promise<void>((resolve) => {
    const cleanups: (() => void)[] = [];
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      for (const cleanup of cleanups) cleanup();
      resolve();
    };

    const initial = options.sendInitialEvents ?? requested === 0;
    const after = initial || requested === 0 ? store.revision : requested;

    const deliver = (event: StoreEvent) => {
      // A client may be ahead of a restarted server. It does not receive known revisions again.
      if (ended || event.revision <= after) return;
      sent = event.revision;
      const watcherEvent = eventFor(event, selection);
      if (watcherEvent !== undefined) inOrder([watcherEvent.stored], () => write(watcherEvent));
    };

    const send = ({ type, stored, origin }: WatcherEvent) => {
      const size = stored.size();
      // The line of a new event is encoded once and shared by all watchers, however far they are behind.
      const shared = origin !== undefined && !encoder.copies && !stored.retired;
      if (shared || sink.pending + size <= encodedAhead) {
        for (const piece of encoder.event(type, stored, origin)) sink.write(piece);
        return;
      }
      const copied = encoder.copies || stored.retired;
      sink.writeLater({ size, copied, encode: () => encoder.event(type, stored, origin) });
    };
    const first = { bytes: 0, lines: 0 };
    const write = (watcherEvent: WatcherEvent) => {
      send(watcherEvent);
      const bytes = sink.pending - first.bytes;
      if (bytes <= maximumBytesBehind && sink.waiting - first.lines <= maximumEventsBehind) return;
      sink.cut();
      end();
    };

    // Only an object that a webhook must convert delays the events behind it.
    let queue: Promise<void> | undefined;
    const inOrder = (items: readonly StoredObject[], act: () => void) => {
      const converted = queue === undefined ? view.ready(items) : queue.then(() => view.ready(items));
      if (converted === undefined) return act();
      const next = converted
        .then(() => {
          if (!ended) act();
        })
        .catch((error: unknown) => {
          if (ended) return;
          if (error instanceof ApiStatusError) sink.write(errorEvent(error.status));
          else context.log(`watch: ${error instanceof Error ? error.stack : String(error)}`);
          end();
        })
        .finally(() => {
          if (queue === next) queue = undefined;
        });
      queue = next;
    };

    const bookmark = (initial = false) => {
      // All writes up to the store's revision have been delivered, because callbacks run before a write
      // returns.
      sent = Math.max(sent, store.revision);
      const revision = sent;
      inOrder([], () => sink.write(encoder.bookmark(revision, initial)));
    };

    scope.request.signal.addEventListener("abort", end);
    cleanups.push(() => scope.request.signal.removeEventListener("abort", end));
    if (scope.request.signal.aborted) return end();

    // Ends the watch when the CRD changes. The client reconnects and gets the new schema, or a 404. Events
    // that wait for a conversion are sent first: the deletion of the last object comes right before that of
    // its CRD, and is never sent again.
    const endWithType = () => {
      const { group, version, plural } = scope.type;
      if (context.registry.find(group, version, plural) !== scope.type) inOrder([], end);
    };
    cleanups.push(context.registry.onChange(endWithType));
    endWithType();
    if (ended) return;

    if (initial) {
      const range = store.range(scope.collection, { prefix: selection.prefix });
      const present = range.filter(({ object }) => selection.matches(object));
      inOrder(present, () => {
        for (const stored of present) send({ type: "ADDED", stored });
        first.bytes = sink.pending;
        first.lines = sink.waiting;
      });
      if (options.sendInitialEvents && options.allowWatchBookmarks) bookmark(true);
    }
    try {
      cleanups.push(store.watch(scope.collection, Math.min(after, store.revision), deliver));
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      sink.write(errorEvent(expired(`too old resource version: ${error.revision} (${error.floor})`).status));
      return end();
    }

    cleanups.push(startTimer(clock, seconds * 1000, end));
    if (!options.allowWatchBookmarks) return;
    const beforeEnd = seconds * 1000 - bookmarkBeforeEnd;
    if (beforeEnd > 0) cleanups.push(startTimer(clock, beforeEnd, () => bookmark()));
    let stopTimer = () => {};
    const repeat = () => {
      stopTimer = startTimer(clock, bookmarkInterval, () => {
        bookmark();
        repeat();
      });
    };
    repeat();
    cleanups.push(() => stopTimer());
  });
}

/** An event for one watcher. */
interface WatcherEvent {
  type: string;
  stored: StoredObject;
  /** The stored event, if all watchers share its line. */
  origin?: StoreEvent;
}

/**
 * Returns the event for one watcher. An object that begins to match is ADDED, one that ceases to match is
 * DELETED.
 */
function eventFor(event: StoreEvent, selection: Selection): WatcherEvent | undefined {
  const { type, current, previous } = event;
  if (!current.key.startsWith(selection.prefix)) return undefined;
  if (selection.everything) return { type, stored: current, origin: event };
  const before = previous !== undefined && selection.matches(previous.object);
  const now = type !== "DELETED" && selection.matches(current.object);
  if (now) return { type: before ? "MODIFIED" : "ADDED", stored: current, origin: event };
  if (!before) return undefined;
  const stored = lastMatching(event);
  return type === "DELETED" ? { type, stored, origin: event } : { type: "DELETED", stored };
}

/** Returns the object of a DELETED event: the last matching state, at the revision of the change. */
function lastMatching(event: StoreEvent): StoredObject {
  if (event.type === "DELETED") return event.current;
  const previous = event.previous as StoredObject;
  return createStoredObject(previous.key, event.revision, previous.object);
}
