import { ApiError, type Clock, createDeadline, isGone, type KubeObject } from "@operator-path/client";
import { type BackoffOptions, createBackoff } from "./backoff.ts";
import type { ListWatch } from "./list-watch.ts";

/** Where a reflector puts what it hears (client-go: ReflectorStore). */
export interface ReflectorSink<T> {
  /** Everything there is, as of a list. What is missing was deleted unheard. */
  replace(items: T[]): void;
  apply(type: "ADDED" | "MODIFIED" | "DELETED", object: T): void;
}

export interface ReflectorOptions extends Pick<BackoffOptions, "random"> {
  clock: Clock;
  /** Objects a page. Default 500, as in client-go. */
  pageSize?: number;
  /**
   * Milliseconds without a single byte after which a watch counts as dead. Default 180,000: servers send a bookmark about
   * once a minute (on 1.36 the first one of a quiet watch was seen after two), and a socket whose other end has vanished
   * says nothing at all.
   */
  silence?: number;
  /** Told of each failure, which the reflector then recovers from. */
  onError?(error: Error): void;
}

export interface Reflector {
  /** Runs until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** As of the last list, event or bookmark; "" before the first list. */
  lastSyncResourceVersion(): string;
}

/**
 * Keeps a sink equal to what the server holds (client-go: Reflector): lists in pages, watches from the list's
 * resourceVersion, resumes where a watch ended, lists again when the server has forgotten that version (410). A list
 * whose version is forgotten between its pages is asked for once more, in one piece.
 *
 * Promises: it never gives up. Whatever fails is retried after a jittered, capped back-off, which a newer version
 * resets, and not before a Retry-After has passed. A watch that the server closes is resumed, without a list; one that
 * cannot be resumed, since the server answers it with nothing but errors, is not insisted on: it lists again.
 */
export function createReflector<T extends KubeObject>(
  source: ListWatch<T>,
  sink: ReflectorSink<T>,
  { clock, random = Math.random, pageSize = 500, silence = 180_000, onError = () => {} }: ReflectorOptions,
): Reflector {
  const backoff = createBackoff({ random });
  /** Errors in a row that a server answered a watch with, and not one event newer than what is known. */
  let fruitless = 0;
  let resourceVersion = "";

  return { run, lastSyncResourceVersion: () => resourceVersion };

  async function run(signal: AbortSignal): Promise<void> {
    let mustList = true;
    while (!signal.aborted) {
      try {
        if (mustList) await list(signal);
        mustList = false;
        await watch(signal);
      } catch (thrown) {
        if (signal.aborted) return;
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (isAnswer(error)) fruitless++;
        mustList ||= isGone(error) || isTooLarge(error) || fruitless >= fruitlessLimit;
        onError(error);
        const retryAfter = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
        await clock.sleep(Math.max(backoff.next(), retryAfter), signal).catch(() => {});
      }
    }
  }

  async function list(signal: AbortSignal): Promise<void> {
    let items: T[] = [];
    let limit: number | undefined = pageSize;
    let token: string | undefined;
    let version: string;
    do {
      const page = await source.listPage({ limit, continue: token }, signal).catch((error: unknown) => {
        if (!token || limit === undefined || !isGone(error)) throw error;
        // The pages' version was forgotten on the way, as it would be the next time: everything in one, which cannot
        // expire (client-go: pager, FullListIfExpired).
        items = [];
        limit = undefined;
        return source.listPage({}, signal);
      });
      // Not push(...): a server that ignores the limit may send more than a call can have arguments.
      for (const item of page.items) items.push(item);
      token = page.metadata.continue || undefined;
      version = page.metadata.resourceVersion;
    } while (token);
    sink.replace(items);
    resourceVersion = version;
    fruitless = 0;
  }

  /** One watch, from the last version to its end. A clean end returns; everything else throws. */
  async function watch(signal: AbortSignal): Promise<void> {
    const began = clock.now();
    const dead = `the watch was silent for ${silence / 1000} s: the connection counts as dead`;
    const deadline = createDeadline(clock, silence, dead);
    // Spread over five minutes, so that the watches of many clients do not end together (client-go does the same).
    const timeoutSeconds = Math.floor(300 + random() * 300);
    const options = { resourceVersion, timeoutSeconds, onBytes: deadline.extend };
    let progress = false;
    try {
      for await (const event of source.watch(options, AbortSignal.any([signal, deadline.signal]))) {
        if (event.type === "ERROR") throw new ApiError(event.object);
        const version = event.object.metadata?.resourceVersion ?? "";
        if (isOlder(version, resourceVersion)) continue;
        if (event.type !== "BOOKMARK") sink.apply(event.type, event.object);
        if (version === "" || version === resourceVersion) continue;
        resourceVersion = version;
        progress = true;
        fruitless = 0;
        backoff.reset();
      }
    } finally {
      deadline.clear();
    }
    // A server that closes every watch at once, as some proxies do, must not be asked in a hot loop.
    if (!progress && clock.now() - began < 1_000) await clock.sleep(backoff.next(), signal).catch(() => {});
  }
}

const fruitlessLimit = 5;

/**
 * Versions are decimal numbers that grow (KEP-5504). An event older than what is known, from a server that lags behind,
 * would put an old object in the place of a newer one. Of versions that are no numbers, nobody can say.
 */
function isOlder(version: string, than: string): boolean {
  if (!decimal.test(version) || !decimal.test(than)) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}

const decimal = /^[1-9]\d*$/;

/** The server was there and said no, or something that is no watch event. A broken connection is neither. */
function isAnswer(error: Error): boolean {
  return [ApiError, SyntaxError, RangeError, TypeError].some((type) => error instanceof type);
}

/** The server has not seen this version yet: 504 with the cause ResourceVersionTooLarge. A list without version can do. */
function isTooLarge(error: Error): boolean {
  return (
    error instanceof ApiError &&
    (error.status.details?.causes?.some(({ reason }) => reason === "ResourceVersionTooLarge") === true ||
      error.message.includes("Too large resource version"))
  );
}
