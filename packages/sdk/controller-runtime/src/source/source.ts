import type { Clock } from "@operator-path/client";
import type { RequestQueue } from "../controller/request-queue.ts";
import type { Logger } from "../log/logger.ts";
import type { Request } from "../reconcile/request.ts";

/** Passed to a source with the queue when it starts. */
export interface SourceContext {
  /** Aborts when the controller ends. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * Adds requests to a controller's queue. Use `kindSource` for objects of a cluster, `channelSource` for
 * anything else, or write your own. Go: source.Source, source.SyncingSource.
 *
 * `const daily: Source = { name: "daily", start(queue, { signal }) { … queue.add({ namespace, name }) … } };`
 */
export interface Source<R = Request> {
  /** The name in the log. */
  readonly name: string;
  /** Returns or resolves once the source delivers. It keeps delivering until the signal aborts. */
  start(queue: RequestQueue<R>, context: SourceContext): Promise<void> | void;
  /** Resolves when everything that exists at the start is in the queue. No reconcile starts before. */
  waitForSync?(signal: AbortSignal): Promise<void>;
}
