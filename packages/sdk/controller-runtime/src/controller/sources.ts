import type { Clock } from "@operator-path/client";
import type { Logger } from "../log/logger.ts";
import type { Source } from "../source/source.ts";
import type { RequestQueue } from "./request-queue.ts";

export interface SourcesOptions<R> {
  controller: string;
  queue: RequestQueue<R>;
  log: Logger;
  clock: Clock;
  syncTimeout: number;
}

/** The sources of a controller: started once, by its warm-up or its start, whichever comes first. */
export function createSources<R>({ controller, queue, log, clock, syncTimeout }: SourcesOptions<R>) {
  const failed = Promise.withResolvers<never>();
  // Nobody may be listening yet, or any more.
  failed.promise.catch(() => {});
  const waiting: Source<R>[] = [];
  let lifetime: AbortSignal | undefined;
  let started: Promise<void> | undefined;

  /** @param onNoSync what becomes of one that has started and does not sync in time */
  async function startOne(
    source: Source<R>,
    signal: AbortSignal,
    onNoSync: (error: unknown) => void,
  ): Promise<void> {
    const late = new AbortController();
    const timer = clock.setTimeout(
      () => late.abort(new Error(`nothing came within ${syncTimeout / 1000} s`)),
      syncTimeout,
    );
    const limit = AbortSignal.any([signal, late.signal]);
    log.info({ source: source.name }, "Starting EventSource");
    try {
      await unlessAborted(source.start(queue, { signal, log, clock }), limit);
      await unlessAborted(source.waitForSync?.(limit), limit).catch((error: unknown) => {
        if (!signal.aborted) onNoSync(error);
      });
    } catch (error) {
      // The controller ends: nobody waits for the source.
      if (signal.aborted) return;
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`controller ${controller}: failed to wait for ${source.name} to sync: ${why}`, {
        cause: error,
      });
    } finally {
      clock.clearTimeout(timer);
    }
  }

  function fail(error: unknown): never {
    throw error;
  }

  /** A kind that is not installed yet, perhaps. What runs already need not end for it. */
  function isLate({ name }: Source<R>, error: unknown): void {
    log.error(
      { error, source: name },
      "A source that came late has not synced: it goes on, and delivers when it does",
    );
  }

  return {
    add(source: Source<R>): void {
      if (!lifetime) waiting.push(source);
      else startOne(source, lifetime, (error) => isLate(source, error)).catch(failed.reject);
    },
    start(signal: AbortSignal): Promise<void> {
      if (!started) {
        lifetime = signal;
        started = Promise.all(waiting.splice(0).map((source) => startOne(source, signal, fail))).then(
          () => {},
        );
      }
      return started;
    },
    /** Rejects when a source fails that was added after the start. */
    failure: failed.promise,
  };
}

/** Work that knows the signal comes first: it may have more to say than that time is up. */
async function unlessAborted(work: Promise<void> | void, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => void setImmediate(() => reject(signal.reason));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
