import type { ContainerStreams } from "@operator-path/apiserver";
import type { OutputListener } from "../runtime/contracts.ts";

export interface Outbox {
  /** Sends a chunk after those before it. Waits while the client is more than `maxPending` behind. */
  readonly put: OutputListener;
  /** Everything that was put has been sent, or the client is gone. */
  flushed(): Promise<void>;
}

/** What a pipe and a socket hold on a real node, generously: 1 MiB. */
const defaultMaxPending = 1024 * 1024;

/**
 * Output on its way to a client of exec or attach, in its order, one chunk at a time.
 *
 * Promised: a program that awaits `put` is stopped by a client that does not read, as a full pipe stops it, and goes on
 * when the client reads again or goes away. A single chunk is taken whatever its size.
 */
export function createOutbox(streams: ContainerStreams, maxPending = defaultMaxPending): Outbox {
  let last = Promise.resolve();
  let pending = 0;
  const waiting = new Set<() => void>();
  const release = () => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  streams.signal.addEventListener("abort", release, { once: true });

  async function send(stream: "stdout" | "stderr", chunk: Uint8Array): Promise<void> {
    try {
      if (!streams.signal.aborted) await streams[stream](chunk);
    } catch {
      // The client went away in the middle: its signal tells.
    }
    pending -= chunk.length;
    if (pending <= maxPending) release();
  }

  return {
    put(stream, chunk) {
      pending += chunk.length;
      last = last.then(() => send(stream, chunk));
      if (pending <= maxPending || streams.signal.aborted) return undefined;
      return new Promise<void>((resolve) => waiting.add(resolve));
    },
    flushed: () => last,
  };
}
