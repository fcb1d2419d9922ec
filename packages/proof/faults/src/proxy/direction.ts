import type { Socket } from "node:net";
import { type Clock, systemClock } from "@operator-path/client";

export interface DirectionOptions {
  pieces?: number | undefined;
  delay?: number | undefined;
  bytesPerSecond?: number | undefined;
  /** Called before bytes pass. Returns how many of them may pass; the rest is withheld. */
  allow(bytes: number): number;
  clock?: Clock;
}

/**
 * One direction through the proxy: passes the bytes of `from` to `to`, in order, with the chosen delay and
 * piece size.
 */
export function createDirection(from: Socket, to: Socket, options: DirectionOptions) {
  const { pieces, delay = 0, bytesPerSecond, allow, clock = systemClock } = options;
  const slow = pieces !== undefined || delay > 0 || bytesPerSecond !== undefined;
  const stopped = new AbortController();
  let last: Promise<void> = Promise.resolve();

  async function pass(chunk: Buffer): Promise<void> {
    const size = pieces ?? (bytesPerSecond ? Math.max(1, Math.ceil(bytesPerSecond / 50)) : chunk.length);
    if (delay > 0) await clock.sleep(delay, stopped.signal);
    for (let at = 0; at < chunk.length; at += size) {
      const piece = chunk.subarray(at, at + size);
      // The other end reads between two pieces: otherwise the kernel joins them again.
      if (bytesPerSecond) await clock.sleep((piece.length / bytesPerSecond) * 1_000, stopped.signal);
      else if (pieces) await new Promise((resolve) => setImmediate(resolve));
      await write(piece);
    }
  }

  async function write(bytes: Buffer): Promise<void> {
    const allowed = stopped.signal.aborted ? 0 : allow(bytes.length);
    if (allowed === 0 || to.destroyed) return;
    if (to.write(bytes.subarray(0, allowed))) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        to.off("drain", done);
        to.off("close", done);
        resolve();
      };
      to.once("drain", done);
      to.once("close", done);
    });
  }

  from.on("data", (chunk: Buffer) => {
    if (stopped.signal.aborted) return;
    from.pause();
    last = (slow ? pass(chunk) : write(chunk)).catch(() => {}).then(() => void from.resume());
  });
  from.on("end", () => {
    void last.then(() => {
      if (!stopped.signal.aborted && !to.destroyed) to.end();
    });
  });

  return {
    /** Passes nothing more, and discards what arrives. */
    stop: () => stopped.abort(),
  };
}
