import { type Clock, isTooManyRequests } from "@operator-path/client";
import { type BackoffOptions, createBackoff, retryAfterOf } from "./backoff.ts";
import { errorOf } from "./describe.ts";
import { isOlder } from "./keys.ts";
import type { ListWatch } from "./list-watch.ts";
import { listInto } from "./reflector-list.ts";
import { acceptsNextOlder, acceptsOlder, after, hasLearned, initialState } from "./reflector-state.ts";
import { type WatchEnd, watchInto } from "./reflector-watch.ts";
import type { ReflectorSink } from "./store/sink.ts";

export interface ReflectorOptions extends Pick<BackoffOptions, "random"> {
  clock: Clock;
  /** Objects per page of a list. Default 500, as in client-go. */
  pageSize?: number;
  /** Request the initial objects as a stream (KEP-3157). Default true. */
  watchList?: boolean;
  /**
   * Milliseconds without a single byte after which a watch counts as dead. Default 180,000. Servers send a
   * bookmark about once a minute; on 1.36 the first bookmark of a quiet watch was seen after two. A socket
   * whose other end has vanished reports nothing at all.
   */
  silence?: number;
  /** Called when `lastSyncResourceVersion` advances, after the sink holds the data. */
  onProgress?: ((resourceVersion: string) => void) | undefined;
  /**
   * Called for each failure; the reflector then retries. A 429 tells the client when to come back, and
   * servers send it while the watch cache of a new kind starts. So 429s are reported only from the fifth
   * consecutive failure on.
   */
  onError?(error: Error): void;
}

/** The state of a reflector's connection, for readiness probes and metrics. */
export interface ReflectorHealth {
  /** When the last byte arrived from the server, in milliseconds since the epoch. 0 before the first byte. */
  lastContact: number;
  /**
   * Milliseconds since the last byte, by the steady clock, which is never set. Undefined before the first
   * byte.
   */
  silentFor: number | undefined;
  /** The last failure. It stays after a recovery: `failures` tells whether the reflector has recovered. */
  lastError: Error | undefined;
  /**
   * Consecutive failures. Resets to 0 when a list arrives or a watch opens. If that watch breaks before its
   * first event, the old count returns.
   */
  failures: number;
  /** How the reflector connects next, and why, for people: "resume: list complete". */
  next: string;
  /** The resourceVersion of the last list, event or bookmark. "" before the first. */
  resourceVersion: string;
  /** Number of lists in pages that were started. Streams of initial objects do not count. */
  lists: number;
  /** Number of watches that were started. */
  watches: number;
}

export interface Reflector {
  /** Runs until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Returns the resourceVersion of the last list, event or bookmark; "" before the first list. */
  lastSyncResourceVersion(): string;
  health(): ReflectorHealth;
}

/**
 * Keeps a sink equal to the server's state (client-go: Reflector).
 *
 * It reads the initial objects from a watch that starts with them (WatchList). If the server refuses that, it
 * lists in pages and watches from the list's resourceVersion. When a watch ends, it resumes at the last
 * version. When the server has forgotten that version (410), it starts over.
 *
 * Promises:
 * - It never gives up. It retries every failure after a jittered, capped back-off, but not before a
 *   Retry-After has passed (at most one minute). A newer version resets the back-off.
 * - It reopens a silent watch at once: the connection may be dead, or only quiet.
 * - It resumes a closed watch without a list. If the server answers with nothing but errors, it lists again.
 * - It does not accept a list or stream that is older than the known version, because a server may lag
 *   behind. After a few such answers in a row it does: the cluster was probably restored from a backup.
 */
export function createReflector(
  source: ListWatch,
  sink: ReflectorSink,
  { clock, random = Math.random, pageSize = 500, silence, onError = () => {}, ...options }: ReflectorOptions,
): Reflector {
  const backoff = createBackoff({ random });
  const health: Omit<ReflectorHealth, "next" | "silentFor"> = {
    lastContact: 0,
    lastError: undefined,
    failures: 0,
    resourceVersion: "",
    lists: 0,
    watches: 0,
  };
  let contactAt: number | undefined;
  let state = initialState(options.watchList ?? true);

  return {
    run,
    lastSyncResourceVersion: () => health.resourceVersion,
    health: () => ({
      ...health,
      silentFor: contactAt === undefined ? undefined : clock.steady() - contactAt,
      next: `${state.how}: ${state.why}`,
    }),
  };

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (state.how === "list") await list(signal);
        else await watch(signal);
      } catch (thrown) {
        if (signal.aborted) return;
        await recover(errorOf(thrown), signal);
      }
    }
  }

  async function recover(error: Error, signal: AbortSignal): Promise<void> {
    const before = state;
    state = after(before, { failed: error });
    if (hasLearned(before, state)) return;
    health.lastError = error;
    health.failures++;
    if (!isTooManyRequests(error) || health.failures >= busyLimit) onError(error);
    await clock.sleep(Math.max(backoff.next(), retryAfterOf(error)), signal).catch(() => {});
  }

  function onContact(): void {
    health.lastContact = clock.now();
    contactAt = clock.steady();
  }

  function checkAge(version: string): void {
    if (!isOlder(version, health.resourceVersion)) return;
    state = after(state, "older");
    if (acceptsOlder(state)) return;
    throw new Error(
      `the list has version ${version}, older than the known version ${health.resourceVersion}`,
    );
  }

  /** A complete list is in the sink; its version is the known version from now on. */
  function listed(version: string): void {
    health.resourceVersion = version;
    health.failures = 0;
    state = after(state, "listed");
  }

  async function list(signal: AbortSignal): Promise<void> {
    health.lists++;
    const onPage = ({ resourceVersion }: { resourceVersion: string }) => {
      onContact();
      checkAge(resourceVersion);
    };
    const acceptOlder = acceptsNextOlder(state);
    listed(await listInto(sink, source, { pageSize, onPage, acceptOlder }, signal));
    options.onProgress?.(health.resourceVersion);
  }

  /** Runs one watch to its end and decides how to go on. Throws on a failure. */
  async function watch(signal: AbortSignal): Promise<void> {
    const began = clock.steady();
    const { failures } = health;
    const news = { hasCome: false, isNewer: false };
    let end: WatchEnd;
    try {
      end = await watchOnce(signal, news);
    } catch (error) {
      // A watch that lasted a while worked, even if it was quiet. One that broke right after it opened, as
      // behind some proxies, did not.
      if (clock.steady() - began >= stableAfter) backoff.reset();
      else if (!news.hasCome) health.failures = failures;
      throw error;
    }
    if (state.how !== "resume") {
      const isShort = end === "closed" && clock.steady() - began < streamTimeout;
      state = after(state, isShort ? "stream ended" : "stream ignored");
    } else if (end === "silent") {
      // The connection is dead, or only quiet. Events and some aggregated APIs send no bookmarks, so the two
      // look the same.
      backoff.reset();
    } else if (!news.isNewer && clock.steady() - began < 1_000) {
      // Some proxies close every watch at once. Do not request them in a hot loop.
      await clock.sleep(backoff.next(), signal).catch(() => {});
    }
  }

  function watchOnce(signal: AbortSignal, news: { hasCome: boolean; isNewer: boolean }): Promise<WatchEnd> {
    health.watches++;
    return watchInto(sink, source, {
      clock,
      silence,
      // Spread over five minutes, so that the watches of many clients do not end together. client-go does the
      // same.
      timeoutSeconds: Math.floor(300 + random() * 300),
      resourceVersion: state.isVersionUnknown ? "" : health.resourceVersion,
      sendInitialEvents: state.how === "stream",
      acceptOlder: acceptsNextOlder(state),
      knownVersion: health.resourceVersion,
      signal,
      onOpen() {
        health.failures = 0;
      },
      onBytes: onContact,
      isStale: (version) => isOlder(version, health.resourceVersion),
      onInitialEventsEnd(version) {
        checkAge(version);
        listed(version);
        backoff.reset();
        news.isNewer = true;
      },
      onVersion(version) {
        news.hasCome = true;
        if (version === "") return;
        if (version !== health.resourceVersion) {
          health.resourceVersion = version;
          news.isNewer = true;
          state = after(state, "progressed");
          backoff.reset();
        }
        // Repeated at the end of the initial objects: `onInitialEventsEnd` ran before the sink held them all.
        options.onProgress?.(version);
      },
    });
  }
}

/** Consecutive failures after which a server that answers "later" counts as broken. */
const busyLimit = 5;
/**
 * Milliseconds. If a stream lasts this long and closes without the end bookmark, the reflector assumes that the
 * server does not support WatchList.
 */
const streamTimeout = 180_000;
/** Milliseconds, the longest back-off: a watch that lasted this long has earned a fresh back-off. */
const stableAfter = 30_000;
