import type { Duplex } from "node:stream";
import { createSpdyConnection, type SpdyStream } from "@operator-path/client/spdy";
import { type Channels, parseSize, type WantedStreams } from "./channels.ts";
import { createQueue } from "./queue.ts";

/** How long a client may take to open its streams, in ms. */
const streamTimeout = 30_000;

/** A size is one line. A longer line is invalid and is not buffered. */
const maxLine = 1024;

/**
 * Opens the remote command protocol over SPDY (v4.channel.k8s.io). The client opens one stream each for
 * stdin, stdout, stderr, resize and error. Resolves when all requested streams are open, or with undefined
 * when that takes too long.
 */
export async function openSpdyChannels(
  transport: Duplex,
  wanted: WantedStreams,
  signal: AbortSignal,
): Promise<Channels | undefined> {
  const names = ["error", ...(["stdin", "stdout", "stderr"] as const).filter((name) => wanted[name])];
  if (wanted.tty) names.push("resize");
  const streams = new Map<string, SpdyStream>();
  const complete = Promise.withResolvers<boolean>();
  const connection = createSpdyConnection(transport, {
    role: "server",
    onStream(stream) {
      const { streamtype: name = "" } = stream.headers;
      if (!names.includes(name) || streams.has(name)) {
        stream.destroy();
        return;
      }
      stream.accept();
      streams.set(name, stream);
      if (streams.size === names.length) complete.resolve(true);
    },
  });
  const disconnected = new AbortController();
  const stop = () => connection.destroy();
  signal.addEventListener("abort", stop, { once: true });
  void connection.closed.then(() => {
    signal.removeEventListener("abort", stop);
    disconnected.abort();
    complete.resolve(false);
  });
  const timer = setTimeout(() => complete.resolve(false), streamTimeout).unref();
  const opened = await complete.promise;
  clearTimeout(timer);
  if (!opened) {
    connection.destroy();
    return undefined;
  }

  const resize = createQueue<{ width: number; height: number }>({ keep: 1 });
  disconnected.signal.addEventListener("abort", () => resize.end());
  let line = "";
  streams.get("resize")?.on("data", (chunk: Buffer) => {
    line += chunk.toString();
    const ends = line.split("\n");
    line = (ends.pop() ?? "").slice(0, maxLine + 1);
    for (const one of ends) {
      const size = one.length <= maxLine ? parseSize(one) : undefined;
      if (size !== undefined) resize.push(size);
    }
  });
  for (const name of ["error", "stdout", "stderr"]) streams.get(name)?.resume();
  const write = (name: string) => (chunk: Uint8Array) =>
    new Promise<void>((resolve) => {
      const stream = streams.get(name);
      // The end event reports a client that disconnects while this writes.
      if (stream === undefined || stream.destroyed || stream.writableEnded) resolve();
      else stream.write(chunk, () => resolve());
    });

  return {
    streams: {
      stdin: chunksOf(streams.get("stdin")),
      stdout: write("stdout"),
      stderr: write("stderr"),
      resize: resize.items,
      signal: disconnected.signal,
    },
    finish(status) {
      resize.end();
      streams.get("error")?.end(JSON.stringify(status));
      for (const name of ["stdout", "stderr", "resize"]) streams.get(name)?.end();
      // Further data from the client is dropped.
      streams.get("stdin")?.end().resume();
      connection.end();
    },
  };
}

/**
 * Yields the chunks of a stream. The stream stays open when the reader stops, because the client may still
 * send.
 */
async function* chunksOf(stream: SpdyStream | undefined): AsyncGenerator<Uint8Array> {
  if (stream === undefined) return;
  yield* stream.iterator({ destroyOnReturn: false });
}
