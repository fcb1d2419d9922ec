import type { WebSocket } from "ws";
import type { Status } from "../../apimachinery/errors.ts";
import type { ContainerStreams } from "./node-connection.ts";
import { createQueue } from "./queue.ts";

// The remote command protocol over WebSocket: the first byte of a binary message names the stream
// (k8s.io/apimachinery/pkg/util/remotecommand).
const stdinChannel = 0;
const stdoutChannel = 1;
const stderrChannel = 2;
const errorChannel = 3;
const resizeChannel = 4;
/** v5: the byte after it names the stream that the client has closed. */
const closeChannel = 255;

/** Best first. v5 can close standard input; v4 cannot. */
export const protocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"] as const;

/** Bytes of standard input that may wait before the client is made to wait. */
const maxWaiting = 1024 * 1024;

/** What a client wants to have of a process. */
export interface WantedStreams {
  stdin: boolean;
  stdout: boolean;
  stderr: boolean;
  tty: boolean;
}

export interface Channels {
  streams: ContainerStreams;
  /** Tells how it went, and says goodbye. */
  finish(status: Omit<Status, "kind" | "apiVersion">): void;
}

export function openChannels(socket: WebSocket, signal: AbortSignal): Channels {
  const gone = new AbortController();
  const resize = createQueue<{ width: number; height: number }>({ keep: 1 });
  let waiting = 0;
  const stdin = createQueue<Uint8Array>({
    onRead({ length }) {
      waiting -= length;
      if (socket.isPaused && waiting <= maxWaiting) socket.resume();
    },
  });
  const end = () => {
    gone.abort();
    stdin.end();
    resize.end();
  };
  socket.on("close", end);
  socket.on("error", end);
  signal.addEventListener("abort", end, { once: true });

  socket.on("message", (data: Buffer, isBinary) => {
    if (!isBinary || data.length === 0) return;
    const payload = data.subarray(1);
    switch (data[0]) {
      case stdinChannel:
        if (payload.length === 0) break;
        waiting += payload.length;
        stdin.push(payload);
        if (waiting > maxWaiting) socket.pause();
        break;
      case resizeChannel: {
        const size = parseSize(payload.toString());
        if (size !== undefined) resize.push(size);
        break;
      }
      case closeChannel:
        if (payload[0] === stdinChannel) stdin.end();
        break;
    }
  });

  function send(channel: number, chunk: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (socket.readyState !== socket.OPEN) return resolve();
      // A client that went away while writing is found out by its close, not here.
      socket.send(Buffer.concat([Buffer.from([channel]), chunk]), { binary: true }, () => resolve());
    });
  }

  return {
    streams: {
      stdin: stdin.items,
      stdout: (chunk) => send(stdoutChannel, chunk),
      stderr: (chunk) => send(stderrChannel, chunk),
      resize: resize.items,
      signal: gone.signal,
    },
    finish(status) {
      void send(errorChannel, Buffer.from(JSON.stringify(status)));
      // A paused socket would not see the client's answer to the close.
      socket.resume();
      socket.close(1000);
    },
  };
}

/** `{"Width":80,"Height":24}` */
export function parseSize(payload: string): { width: number; height: number } | undefined {
  try {
    const { Width, Height } = JSON.parse(payload) as { Width?: unknown; Height?: unknown };
    if (typeof Width === "number" && typeof Height === "number") return { width: Width, height: Height };
  } catch {
    // A size that cannot be read is no size.
  }
  return undefined;
}
