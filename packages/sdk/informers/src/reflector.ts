import { type Clock, isTooManyRequests } from "@operator-path/client";
import { type BackoffOptions, createBackoff, retryAfterOf } from "./backoff.ts";
import { errorOf } from "./describe.ts";
import type { ListWatch } from "./list-watch.ts";
import type { ReflectorHealth } from "./reflector-health.ts";
import { listInto } from "./reflector-list.ts";
import type { ReflectorSink } from "./reflector-sink.ts";
import { after, hasLearnt, initialState, isNextOlderBelieved, isOlderBelieved } from "./reflector-state.ts";
import { type WatchEnd, watchInto } from "./reflector-watch.ts";
import { isOlder } from "./resource-version.ts";

export interface ReflectorOptions extends Pick<BackoffOptions, "random"> {
  clock: Clock;
  /** Objects a page. Default 500, as in client-go. */
  pageSize?: number;
  /** Ask for the first objects as a stream (KEP-3157). Default true. */
  watchList?: boolean;
  /**
   * Milliseconds without a single byte after which a watch counts as dead. Default 180,000: servers send a bookmark about
   * once a minute (on 1.36 the first one of a quiet watch was seen after two), and a socket whose other end has vanished
   * says nothing at all.
   */
  silence?: number;
  /** Told of each step of `lastSyncResourceVersion`, when the sink has what it brought. */
  onProgress?: ((resourceVersion: string) => void) | undefined;
  /**
   * Told of each failure, which the reflector then recovers from; of a 429, by which a server says when to come again (it
   * does while the watch cache of a new kind starts), from the fifth failure in a row on.
   */
  onError?(error: Error): void;
}

export interface Reflector {
  /** Runs until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** As of the last list, event or bookmark; "" before the first list. */
  lastSyncResourceVersion(): string;
  health(): ReflectorHealth;
}

/**
 * Keeps a sink equal to what the server holds (client-go: Reflector). It takes the first objects from a watch that begins
 * with them (WatchList), or, where the server refuses that, lists in pages and watches from the list's resourceVersion;
 * resumes where a watch ended; begins again when the server has forgotten that version (410).
 *
 * Promises: it never gives up. Whatever fails is retried after a jittered, capped back-off, which a newer version
 * resets, and not before a Retry-After has passed (of which a minute counts). A watch that is silent is asked for again
 * at once: it may be dead, or only quiet. A watch that the server closes is resumed, without a list; one that
 * cannot be resumed, since the server answers it with nothing but errors, is not insisted on: it lists again. A list
 * or stream older than what is known, from a server that lags behind, brings nothing back, and is not believed before it has been answered a few times in
 * a row: then it is what there is, as after a restore from a backup.
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
  let heardAt: number | undefined;
  let state = initialState(options.watchList ?? true);

  return {
    run,
    lastSyncResourceVersion: () => health.resourceVersion,
    health: () => ({
      ...health,
      silentFor: heardAt === undefined ? undefined : clock.steady() - heardAt,
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
    if (hasLearnt(before, state)) return;
    health.lastError = error;
    health.failures++;
    if (!isTooManyRequests(error) || health.failures >= worthTelling) onError(error);
    await clock.sleep(Math.max(backoff.next(), retryAfterOf(error)), signal).catch(() => {});
  }

  function heard(): void {
    health.lastContact = clock.now();
    heardAt = clock.steady();
  }

  function checkAge(version: string): void {
    if (!isOlder(version, health.resourceVersion)) return;
    state = after(state, "older");
    if (isOlderBelieved(state)) return;
    throw new Error(
      `the list, of version ${version}, is older than what is known: ${health.resourceVersion}`,
    );
  }

  /** From here on the known version is that of a complete list. */
  function listed(version: string): void {
    health.resourceVersion = version;
    health.failures = 0;
    state = after(state, "listed");
  }

  async function list(signal: AbortSignal): Promise<void> {
    health.lists++;
    const onPage = ({ resourceVersion }: { resourceVersion: string }) => {
      heard();
      checkAge(resourceVersion);
    };
    const isOlderTrusted = isNextOlderBelieved(state);
    listed(await listInto(sink, source, { pageSize, onPage, isOlderTrusted }, signal));
    options.onProgress?.(health.resourceVersion);
  }

  /** One watch to its end, and what follows from that. What goes wrong is thrown. */
  async function watch(signal: AbortSignal): Promise<void> {
    const began = clock.steady();
    const { failures } = health;
    const news = { hasCome: false, isNewer: false };
    let end: WatchEnd;
    try {
      end = await watchOnce(signal, news);
    } catch (error) {
      // A watch that stood for a while has worked, however quiet it was; one that was opened and broke, as some proxies
      // do it, has not.
      if (clock.steady() - began >= standing) backoff.reset();
      else if (!news.hasCome) health.failures = failures;
      throw error;
    }
    if (state.how !== "resume") {
      const isShort = end === "closed" && clock.steady() - began < wholeStream;
      state = after(state, isShort ? "stream ended" : "stream ignored");
    } else if (end === "silent") {
      // Dead, or only quiet: where there are no bookmarks, as of Events and of some aggregated APIs, nobody can tell.
      backoff.reset();
    } else if (!news.isNewer && clock.steady() - began < 1_000) {
      // A server that closes every watch at once, as some proxies do, must not be asked in a hot loop.
      await clock.sleep(backoff.next(), signal).catch(() => {});
    }
  }

  function watchOnce(signal: AbortSignal, news: { hasCome: boolean; isNewer: boolean }): Promise<WatchEnd> {
    health.watches++;
    return watchInto(sink, source, {
      clock,
      silence,
      // Spread over five minutes, so that the watches of many clients do not end together (client-go does the same).
      timeoutSeconds: Math.floor(300 + random() * 300),
      resourceVersion: state.isVersionUnknown ? "" : health.resourceVersion,
      sendInitialEvents: state.how === "stream",
      isOlderTrusted: isNextOlderBelieved(state),
      knownVersion: health.resourceVersion,
      signal,
      onOpen() {
        health.failures = 0;
      },
      onBytes: heard,
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
        // Also at the end of the initial objects, which was heard of before the sink had them all.
        options.onProgress?.(version);
      },
    });
  }
}

/** Failures in a row after which a server that says "later" is a server that does not work. */
const worthTelling = 5;
/** Milliseconds after which a server that ends a stream of initial objects did not mean to send their end. */
const wholeStream = 180_000;
/** Milliseconds, as long as the longest back-off: whoever waits that long between failures need not wait for longer. */
const standing = 30_000;
