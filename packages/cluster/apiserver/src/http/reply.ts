import type { ServerResponse } from "node:http";
import type { Status } from "../errors.ts";

/** Where a streaming answer goes. */
export interface ReplySink {
  write(chunk: Uint8Array): void;
  /** Bytes written that the client has not taken yet. */
  readonly pending: number;
  /** Resolves when the client has caught up, or is gone. */
  drained(): Promise<void>;
  /** Ends the connection with what is pending unsent: for a client that does not read. */
  cut(): void;
}

interface ReplyHead {
  status: number;
  headers?: Record<string, string>;
}

/** An answer that is there as a whole. */
export interface WholeReply extends ReplyHead {
  body: readonly Uint8Array[];
}

/** An answer that is written bit by bit; it ends when the promise does. */
export interface StreamReply extends ReplyHead {
  stream(sink: ReplySink): Promise<void>;
}

export type Reply = WholeReply | StreamReply;

export function jsonReply(status: number, value: unknown): WholeReply {
  return bytesReply(status, [Buffer.from(JSON.stringify(value))]);
}

/** @param body complete JSON, in pieces */
export function bytesReply(status: number, body: readonly Uint8Array[]): WholeReply {
  return { status, headers: { "content-type": "application/json" }, body };
}

export function textReply(status: number, text: string): WholeReply {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
    body: [Buffer.from(text)],
  };
}

export function statusReply(status: Status): WholeReply {
  const reply = jsonReply(status.code ?? 200, status);
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter !== undefined) reply.headers = { ...reply.headers, "retry-after": String(retryAfter) };
  if (status.code === 401)
    reply.headers = { ...reply.headers, "www-authenticate": 'Bearer realm="operator-path"' };
  return reply;
}

/** RFC 7234 warning headers, code 299 as Kubernetes uses it. */
function warningHeaders(warnings: readonly string[]): string[] {
  return warnings.map((text) => {
    // Header values are Latin-1 without control characters; anything else would be refused by the HTTP layer.
    const printable = text.replaceAll(/[^\x20-\x7e]+/g, " ").replaceAll(/["\\]/g, "\\$&");
    return `299 - "${printable}"`;
  });
}

export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  { head = false, warnings = [] }: { head?: boolean; warnings?: readonly string[] } = {},
): Promise<void> {
  if (response.destroyed) return;
  if (warnings.length > 0) response.setHeader("warning", warningHeaders(warnings));
  response.setHeader("cache-control", "no-cache, private");
  if ("body" in reply) {
    const length = reply.body.reduce((sum, chunk) => sum + chunk.length, 0);
    response.writeHead(reply.status, { ...reply.headers, "content-length": length });
    response.cork();
    if (!head) for (const chunk of reply.body) response.write(chunk);
    response.end();
    return;
  }
  response.writeHead(reply.status, reply.headers);
  response.flushHeaders();
  if (!head) await reply.stream(createSink(response));
  response.end();
  endUnread(response);
}

/** How long a client may take for the rest of a stream that has ended. */
const lingerMs = 30_000;

/** A client that has ceased to read would otherwise keep its connection, and what is pending, for ever. */
function endUnread(response: ServerResponse): void {
  if (response.writableFinished || response.destroyed) return;
  const timer = setTimeout(() => response.destroy(), lingerMs).unref();
  response.once("close", () => clearTimeout(timer));
}

function createSink(response: ServerResponse): ReplySink {
  let corked = false;
  return {
    write(chunk) {
      if (response.destroyed) return;
      // Events of one tick leave as one packet.
      if (!corked) {
        corked = true;
        response.cork();
        setImmediate(() => {
          corked = false;
          response.uncork();
        });
      }
      response.write(chunk);
    },
    get pending() {
      return response.writableLength;
    },
    cut() {
      response.destroy();
    },
    async drained() {
      if (!response.writableNeedDrain || response.destroyed) return;
      await new Promise<void>((resolve) => {
        const done = () => {
          response.off("drain", done);
          response.off("close", done);
          resolve();
        };
        response.on("drain", done);
        response.on("close", done);
      });
    },
  };
}
