import type { ServerResponse } from "node:http";
import type { Status } from "../../apimachinery/errors.ts";
import { createOutlet, type OutletOptions, type ReplySink } from "./outlet.ts";

interface ReplyHead {
  status: number;
  headers?: Record<string, string>;
}

/** A complete response. */
export interface WholeReply extends ReplyHead {
  body: readonly Uint8Array[];
}

/** A response that is written in steps. It ends when the promise resolves. */
export interface StreamReply extends ReplyHead {
  /**
   * The kind of stream:
   * - A `list` ends by itself, and counts as a request in flight until then.
   * - A `watch` continues. Both are cut off when their client does not read.
   * - A `relay` of another server's bytes waits for its client.
   */
  kind: "list" | "watch" | "relay";
  stream(sink: ReplySink): Promise<void>;
}

export type Reply = WholeReply | StreamReply;

export function jsonReply(status: number, value: unknown): WholeReply {
  return bytesReply(status, [Buffer.from(JSON.stringify(value))]);
}

/** Returns a response with JSON. @param body complete JSON, in pieces */
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

/** Returns warning headers (RFC 7234) with Kubernetes' code 299. */
function warningHeaders(warnings: readonly string[]): string[] {
  return warnings.map((text) => {
    // Header values are Latin-1 without control characters. The HTTP layer would refuse anything else.
    const printable = text.replaceAll(/[^\x20-\x7e]+/g, " ").replaceAll(/["\\]/g, "\\$&");
    return `299 - "${printable}"`;
  });
}

/** Responses of at most this many bytes are written at once. */
const smallBytes = 64 * 1024;

export interface SendOptions extends OutletOptions {
  /** HEAD: only the headers. */
  head: boolean;
  warnings: readonly string[];
}

export async function sendReply(response: ServerResponse, reply: Reply, options: SendOptions): Promise<void> {
  const { head, warnings } = options;
  if (response.destroyed) return;
  if (warnings.length > 0) response.setHeader("warning", warningHeaders(warnings));
  response.setHeader("cache-control", "no-cache, private");
  if ("body" in reply) {
    const length = reply.body.reduce((sum, chunk) => sum + chunk.length, 0);
    response.writeHead(reply.status, { ...reply.headers, "content-length": length });
    if (!head && length > smallBytes) return writeAll(response, reply.body, options);
    response.cork();
    if (!head) for (const chunk of reply.body) response.write(chunk);
    response.end();
    return;
  }
  response.writeHead(reply.status, reply.headers);
  response.flushHeaders();
  if (head) return void response.end();
  const stallTimeout = reply.kind === "relay" ? undefined : options.stallTimeout;
  const sink = createOutlet(response, { ...options, stallTimeout });
  await reply.stream(sink);
  await end(response, sink);
}

async function writeAll(
  response: ServerResponse,
  chunks: readonly Uint8Array[],
  options: OutletOptions,
): Promise<void> {
  const sink = createOutlet(response, options);
  for (const chunk of chunks) sink.write(chunk);
  await end(response, sink);
}

async function end(response: ServerResponse, sink: ReplySink): Promise<void> {
  await sink.drained();
  response.end();
  endUnread(response);
}

/** How long a client may take for the rest of a finished stream, in ms. */
const lingerMs = 30_000;

/** Ends the response. A client that no longer reads would keep its connection and the rest forever. */
function endUnread(response: ServerResponse): void {
  if (response.writableFinished || response.destroyed) return;
  const timer = setTimeout(() => response.destroy(), lingerMs).unref();
  response.once("close", () => clearTimeout(timer));
}
