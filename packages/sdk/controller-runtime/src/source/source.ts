import type { Clock } from "@operator-path/client";
import type { RequestQueue } from "../controller/request-queue.ts";
import type { Logger } from "../log/logger.ts";
import type { Request } from "../reconcile/request.ts";

export interface SourceContext {
  /** The controller ends. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * Where requests come from (Go: source.Source, source.SyncingSource). `kindSource` for the objects of a cluster,
 * `channelSource` for anything else, or one of your own:
 *
 * `const daily: Source = { name: "daily", start(queue, { signal }) { … queue.add({ namespace, name }) … } };`
 */
export interface Source<R = Request> {
  /** For the log. */
  readonly name: string;
  /** Returns, or resolves, as soon as the source will deliver; it goes on until the signal aborts. */
  start(queue: RequestQueue<R>, context: SourceContext): Promise<void> | void;
  /** Resolves when everything that is there at the start is in the queue: no reconcile begins before. */
  waitForSync?(signal: AbortSignal): Promise<void>;
}
