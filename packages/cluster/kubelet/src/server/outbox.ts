import type { ContainerStreams } from "@operator-path/apiserver";
import type { OutputListener } from "../runtime/contracts.ts";

export interface Outbox {
  /** Sends a chunk after the earlier ones. Waits while more than `maxPending` bytes are unsent. */
  readonly put: OutputListener;
  /** Resolves when every chunk is sent, or the client has disconnected. */
  flushed(): Promise<void>;
}

/** A generous estimate of what a pipe and a socket hold on a real node: 1 MiB. */
const maxPending = 1024 * 1024;

/**
 * Sends output to a client of exec or attach, in order, one chunk at a time.
 *
 * A program that awaits `put` stops while the client does not read, as with a full pipe. It continues when
 * the client reads again or disconnects. A single chunk may have any size.
 */
export function createOutbox(streams: ContainerStreams): Outbox {
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
      // The client disconnected, which its signal reports.
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
