import type { Clock } from "./clock.ts";
import { createSilenceTimer } from "./signals.ts";

/**
 * The early end of a request: by its caller's signal, by the end of the client, or by a time without a byte.
 * It is one object per request, because a signal combined from three signals costs as much as the request
 * itself.
 */
export interface RequestEnd {
  /** Why the request ended early. Undefined while it runs. */
  readonly reason: unknown;
  /** What ended it. Undefined while it runs. */
  readonly endedBy: "caller" | "client" | "timeout" | undefined;
  /**
   * Sets the function that is called when the request ends early, or calls it at once if it has ended. Only
   * the most recently set function is called.
   */
  onEnd(stop: (reason: unknown) => void): void;
  /** Starts the timeout again. Call it at each sign of life. */
  extend(): void;
  /** Turns the timeout off: the answer has begun, and its body may take any time. */
  stopTimeout(): void;
  /** Removes the timer and the listeners. Call it when the request is done. */
  release(): void;
}

export interface RequestEndOptions {
  readonly clock: Clock;
  /** Milliseconds without a call of `extend`. */
  readonly timeout: number;
  /** The message of the error after a timeout. */
  readonly timeoutMessage: string;
  readonly signal: AbortSignal | undefined;
}

/** Tracks the requests of one client. */
export function createRequestEnds() {
  const open = new Set<(reason: unknown) => void>();
  let closed: { reason: unknown } | undefined;

  return {
    closeAll(reason: unknown): void {
      closed ??= { reason };
      for (const close of [...open]) close(reason);
    },
    get isClosed(): boolean {
      return closed !== undefined;
    },
    begin({ clock, timeout, timeoutMessage, signal }: RequestEndOptions): RequestEnd {
      let ended: { reason: unknown; by: RequestEnd["endedBy"] } | undefined;
      let stop: ((reason: unknown) => void) | undefined;
      const timer = createSilenceTimer(clock, timeout, () => end(new Error(timeoutMessage), "timeout"));

      function end(reason: unknown, by: RequestEnd["endedBy"]): void {
        if (ended) return;
        ended = { reason, by };
        release();
        stop?.(reason);
      }
      const onAbort = () => end(signal?.reason, "caller");
      const onClose = (reason: unknown) => end(reason, "client");
      function release(): void {
        timer.clear();
        open.delete(onClose);
        signal?.removeEventListener("abort", onAbort);
      }

      open.add(onClose);
      signal?.addEventListener("abort", onAbort, { once: true });
      if (signal?.aborted) onAbort();
      else if (closed) onClose(closed.reason);
      return {
        get reason() {
          return ended?.reason;
        },
        get endedBy() {
          return ended?.by;
        },
        onEnd(act) {
          stop = act;
          if (ended) act(ended.reason);
        },
        extend: timer.extend,
        stopTimeout: timer.clear,
        release,
      };
    },
  };
}
