import type { Logger } from "../log/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import type { Request } from "../reconcile/request.ts";
import type { Source } from "../source/source.ts";

/**
 * Sources, a queue of requests, and workers that reconcile them (Go: controller.Controller). A Runnable: the manager
 * starts it.
 */
export interface Controller<R = Request> extends Runnable {
  readonly name: string;
  readonly log: Logger;
  /**
   * At any time. A source that comes after the start begins at once. When its `start` fails, so does the controller; when
   * it does not sync in time (its kind is not installed yet, say), that is logged, and it delivers when it does.
   */
  watch(source: Source<R>): void;
}
