import type { Clock } from "./clock.ts";

/**
 * Whatever ends a request before it is done: its caller's signal, the end of the client, a time without a byte. One object
 * a request, since a signal made of three signals costs as much as the request itself.
 */
export interface RequestEnd {
  /** Why it has ended; undefined while it goes on. */
  readonly reason: unknown;
  /** What has ended it: the caller's signal, the end of the client, or a timeout. Undefined while it goes on. */
  readonly endedBy: "caller" | "client" | "timeout" | undefined;
  /** At once, if it has ended. One function: the last one counts. */
  onEnd(stop: (reason: unknown) => void): void;
  /** There was a sign of life: the time begins anew. */
  extend(): void;
  /** An answer is there, however long its body takes: the time does not count any more. */
  endTime(): void;
  /** It is done: nothing is kept for it any more. */
  release(): void;
}

export interface RequestEndOptions {
  readonly clock: Clock;
  /** Milliseconds without `extend`, and what is said then. */
  readonly timeout: number;
  readonly late: string;
  readonly signal: AbortSignal | undefined;
}

/** The requests of one client. */
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
    begin({ clock, timeout, late, signal }: RequestEndOptions): RequestEnd {
      let ended: { reason: unknown; by: RequestEnd["endedBy"] } | undefined;
      let stop: ((reason: unknown) => void) | undefined;
      let heard = clock.steady();
      let timer: unknown = clock.setTimeout(look, timeout);

      function end(reason: unknown, by: RequestEnd["endedBy"]): void {
        if (ended) return;
        ended = { reason, by };
        release();
        stop?.(reason);
      }
      // Bytes arrive far more often than the time passes: they only note it, and the timer looks at the note.
      function look(): void {
        const left = heard + timeout - clock.steady();
        if (left > 0) timer = clock.setTimeout(look, left);
        else end(new Error(late), "timeout");
      }
      function endTime(): void {
        if (timer !== undefined) clock.clearTimeout(timer);
        timer = undefined;
      }
      const onAbort = () => end(signal?.reason, "caller");
      const onClose = (reason: unknown) => end(reason, "client");
      function release(): void {
        endTime();
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
        extend() {
          heard = clock.steady();
        },
        endTime,
        release,
      };
    },
  };
}
