import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { badRequest, requestEntityTooLarge } from "../../apimachinery/errors.ts";
import type { UserInfo } from "../auth/user.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { tooBusy } from "./in-flight.ts";
import { createWarnings } from "./warnings.ts";

/** The largest body, as in kube-apiserver: 3 MiB. */
export const maxBodyBytes = 3 * 1024 * 1024;

/** An authenticated request, before it is routed. */
export interface ApiRequest {
  readonly method: string;
  /** Undecoded, without the query. */
  readonly path: string;
  /** The decoded parts of the path, without empty ones. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  /** The undecoded query with its question mark, or "". */
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  readonly user: UserInfo;
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  /**
   * Reads the whole body. @throws ApiStatusError 413 above 3 MiB, 429 when other bodies use the whole budget
   */
  body(): Promise<Buffer>;
  /** Adds a `Warning` header to the response, which kubectl prints. */
  warn(text: string): void;
  /** Breaks the connection without an answer, as a failing network does. */
  disconnect(): void;
  readonly warnings: readonly string[];
}

export interface RequestParts {
  message: IncomingMessage;
  user: UserInfo;
  signal: AbortSignal;
  /** For bodies, shared by all requests. */
  budget: ByteBudget;
}

/** Returns a request. @throws ApiStatusError 400 when the URL cannot be decoded */
export function createApiRequest({ message, user, signal, budget }: RequestParts): ApiRequest {
  const { path, segments, query, rawQuery } = parseUrl(message.url ?? "/");
  const warnings = createWarnings();
  let body: Promise<Buffer> | undefined;
  return {
    method: message.method ?? "GET",
    path,
    segments,
    query,
    rawQuery,
    headers: message.headers,
    user,
    signal,
    body() {
      body ??= readBody(message, signal, budget);
      return body;
    },
    warn: warnings.add,
    disconnect: () => void message.socket.destroy(),
    warnings: warnings.texts,
  };
}

interface ParsedUrl {
  path: string;
  segments: string[];
  query: URLSearchParams;
  rawQuery: string;
}

/** Parses a URL. @throws ApiStatusError 400 */
export function parseUrl(url: string): ParsedUrl {
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  const rawQuery = mark < 0 ? "" : url.slice(mark);
  const query = new URLSearchParams(rawQuery);
  try {
    // Like Go, decodes before it splits: %2F separates segments, too.
    const trimmed = decodeURIComponent(path).replace(/^\/+|\/+$/g, "");
    return { path, segments: trimmed === "" ? [] : trimmed.split("/"), query, rawQuery };
  } catch {
    throw badRequest(`the path ${JSON.stringify(path)} is not properly percent-encoded`);
  }
}

function readBody(message: IncomingMessage, signal: AbortSignal, budget: ByteBudget): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const declared = Number(message.headers["content-length"] ?? 0);
    // Reads and drops the rest: a client that is still writing would lose the response if the connection
    // closed.
    let dropped = false;
    const drop = (why: Error) => {
      dropped = true;
      chunks = [];
      reject(why);
    };
    let chunks: Buffer[] = [];
    let length = 0;
    let taken = 0;
    /** Reserves budget for a body. It is freed when the request has been answered. */
    const reserve = (bytes: number) => {
      if (bytes <= taken) return true;
      if (!budget.take(bytes - taken)) return false;
      if (taken === 0) signal.addEventListener("abort", () => budget.give(taken), { once: true });
      taken = bytes;
      return true;
    };
    const tooLarge = () => requestEntityTooLarge(`limit is ${maxBodyBytes}`);
    if (declared > maxBodyBytes) return drop(tooLarge());
    if (!signal.aborted && !reserve(declared)) return drop(tooBusy());
    message.on("data", (chunk: Buffer) => {
      if (dropped) return;
      length += chunk.length;
      if (length > maxBodyBytes) return drop(tooLarge());
      if (!signal.aborted && !reserve(length)) return drop(tooBusy());
      chunks.push(chunk);
    });
    message.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    message.on("error", reject);
    message.on("close", () => {
      if (!message.complete) reject(new Error("the client went away"));
    });
  });
}
