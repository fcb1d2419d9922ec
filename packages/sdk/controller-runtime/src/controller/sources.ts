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

/** The sources of a controller. The warm-up or the start starts them, whichever comes first. */
export function createSources<R>({ controller, queue, log, clock, syncTimeout }: SourcesOptions<R>) {
  const failed = Promise.withResolvers<never>();
  // Avoids an unhandled rejection when nothing listens.
  failed.promise.catch(() => {});
  const waiting: Source<R>[] = [];
  let lifetime: AbortSignal | undefined;
  let started: Promise<void> | undefined;

  /** @param onNoSync called when the source has started and does not sync in time */
  async function startOne(
    source: Source<R>,
    signal: AbortSignal,
    onNoSync: (error: unknown) => void,
  ): Promise<void> {
    const late = new AbortController();
    const timer = clock.setTimeout(
      () => late.abort(new Error(`the source did not sync within ${syncTimeout / 1000} s`)),
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
      // The controller stops, so the source need not sync.
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

  /** The kind may not be installed yet. Running sources need not stop for that. */
  function isLate({ name }: Source<R>, error: unknown): void {
    log.error(
      { error, source: name },
      "A source added after the start has not synced: it keeps running and delivers once it has",
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
    /** Rejects when a source that was added after the start fails. */
    failure: failed.promise,
  };
}

/** Lets work that received the signal reject first: its error may say more than the signal's reason. */
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
