import type { Duplex } from "node:stream";
import { type DataBlock, runCommand } from "./commands.ts";
import type { MemcachedServer } from "./server.ts";

/** The longest line in bytes. */
const maxLine = 64 * 1024;

/** Serves one client until it disconnects or quits. */
export async function serveConnection(server: MemcachedServer, connection: Duplex): Promise<void> {
  connection.on("error", () => {});
  server.count("total_connections");
  server.count("curr_connections");
  try {
    let unread: Buffer = Buffer.alloc(0);
    let waiting: DataBlock | undefined;
    let skip = 0;
    // The stream stays open after the loop, because the last response may still be on its way.
    for await (const chunk of connection.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      server.count("bytes_read", chunk.length);
      unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
      const replies: (string | Buffer)[] = [];
      let close = false;
      for (;;) {
        if (skip > 0) {
          const dropped = Math.min(skip, unread.length);
          unread = unread.subarray(dropped);
          skip -= dropped;
          if (skip > 0) break;
        }
        const taken: Taken | undefined = waiting === undefined ? takeLine(unread) : takeData(waiting, unread);
        if (taken === undefined) break;
        unread = unread.subarray(taken.used);
        if (taken.reply !== undefined) {
          waiting = undefined;
          replies.push(taken.reply);
          continue;
        }
        const step = runCommand(server, taken.line);
        if ("data" in step) waiting = step.data;
        else {
          replies.push(step.reply);
          close = step.close ?? false;
          skip = step.skip ?? 0;
        }
        if (close) break;
      }
      if (waiting === undefined && unread.length > maxLine) {
        replies.push("CLIENT_ERROR line too long\r\n");
        close = true;
      }
      await send(server, connection, replies);
      if (close) break;
    }
  } catch {
    // The client disconnected.
  } finally {
    server.count("curr_connections", -1);
    connection.end();
    // Input after quit is dropped.
    connection.resume();
  }
}

type Taken = { used: number } & (
  | { line: string; reply?: undefined }
  | { reply: string | Buffer; line?: undefined }
);

function takeLine(bytes: Buffer): Taken | undefined {
  const end = bytes.indexOf(10);
  if (end < 0) return undefined;
  const line = bytes.toString("latin1", 0, bytes[end - 1] === 13 ? end - 1 : end);
  return { used: end + 1, line };
}

function takeData({ length, take }: DataBlock, bytes: Buffer): Taken | undefined {
  if (bytes.length < length + 2) return undefined;
  if (bytes[length] === 13 && bytes[length + 1] === 10) {
    // A copy, because the item outlives the chunk that it arrived in.
    return { used: length + 2, reply: take(Buffer.from(bytes.subarray(0, length))) };
  }
  // Skips to the end of the line, where the next command begins.
  const end = bytes.indexOf(10, length);
  return end < 0 ? undefined : { used: end + 1, reply: take(undefined) };
}

async function send(
  server: MemcachedServer,
  connection: Duplex,
  replies: (string | Buffer)[],
): Promise<void> {
  const bytes = Buffer.concat(replies.map((reply) => Buffer.from(reply)));
  if (bytes.length === 0 || connection.destroyed) return;
  server.count("bytes_written", bytes.length);
  // The next command waits until the client has read this response.
  await new Promise<void>((resolve) => connection.write(bytes, () => resolve()));
}
