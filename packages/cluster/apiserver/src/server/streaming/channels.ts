import type { WebSocket } from "ws";
import type { Status } from "../../apimachinery/errors.ts";
import type { ContainerStreams } from "./node-connection.ts";
import { createQueue } from "./queue.ts";

// The remote command protocol over WebSocket: the first byte of a binary message is the stream
// (k8s.io/apimachinery/pkg/util/remotecommand).
const stdinChannel = 0;
const stdoutChannel = 1;
const stderrChannel = 2;
const errorChannel = 3;
const resizeChannel = 4;
/** v5: the next byte is the stream that the client has closed. */
const closeChannel = 255;

/** In order of preference. v5 can close standard input, v4 cannot. */
export const protocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"] as const;

/** Bytes of standard input that may wait before the client is paused. */
const maxWaiting = 1024 * 1024;

/** The streams that a client requests. */
export interface WantedStreams {
  stdin: boolean;
  stdout: boolean;
  stderr: boolean;
  tty: boolean;
}

export interface Channels {
  streams: ContainerStreams;
  /** Sends the result and closes the connection. */
  finish(status: Omit<Status, "kind" | "apiVersion">): void;
}

export function openChannels(socket: WebSocket, signal: AbortSignal): Channels {
  const disconnected = new AbortController();
  const resize = createQueue<{ width: number; height: number }>({ keep: 1 });
  let waiting = 0;
  const stdin = createQueue<Uint8Array>({
    onRead({ length }) {
      waiting -= length;
      if (socket.isPaused && waiting <= maxWaiting) socket.resume();
    },
  });
  const end = () => {
    disconnected.abort();
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
      // The close event reports a client that disconnects while this writes.
      socket.send(Buffer.concat([Buffer.from([channel]), chunk]), { binary: true }, () => resolve());
    });
  }

  return {
    streams: {
      stdin: stdin.items,
      stdout: (chunk) => send(stdoutChannel, chunk),
      stderr: (chunk) => send(stderrChannel, chunk),
      resize: resize.items,
      signal: disconnected.signal,
    },
    finish(status) {
      void send(errorChannel, Buffer.from(JSON.stringify(status)));
      // A paused socket would not receive the client's close frame.
      socket.resume();
      socket.close(1000);
    },
  };
}

/** Parses `{"Width":80,"Height":24}`. */
export function parseSize(payload: string): { width: number; height: number } | undefined {
  try {
    const { Width, Height } = JSON.parse(payload) as { Width?: unknown; Height?: unknown };
    if (typeof Width === "number" && typeof Height === "number") return { width: Width, height: Height };
  } catch {
    // An invalid size is ignored.
  }
  return undefined;
}
