import type { Logger } from "../log/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import type { Request } from "../reconcile/request.ts";
import type { Source } from "../source/source.ts";

/**
 * Connects sources, a queue of requests and workers that reconcile them. A Runnable: add it to a manager.
 * Go: controller.Controller.
 */
export interface Controller<R = Request> extends Runnable {
  readonly name: string;
  readonly log: Logger;
  /**
   * Adds a source, at any time. After the start, the source starts at once. The controller fails when the
   * source's `start` fails. A late source that does not sync in time, for example because its kind is not
   * installed yet, is logged and keeps running.
   */
  watch(source: Source<R>): void;
}
