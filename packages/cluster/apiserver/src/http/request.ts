import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { UserInfo } from "../auth/user.ts";
import { badRequest, requestEntityTooLarge } from "../errors.ts";

/** 3 MiB, as a kube-apiserver allows. */
export const maxBodyBytes = 3 * 1024 * 1024;

/** A request, authenticated, before anybody knows what it is about. */
export interface ApiRequest {
  readonly method: string;
  /** As it came, without the query. */
  readonly path: string;
  /** The path's parts, decoded, without empty ones. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  /** The query as it came, with its question mark; empty: there is none. */
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  readonly user: UserInfo;
  /** Aborted when the client goes away or the server stops. */
  readonly signal: AbortSignal;
  /** The whole body. @throws ApiStatusError 413 above 3 MiB */
  body(): Promise<Buffer>;
  /** Adds a `Warning` header to the answer: kubectl prints it. */
  warn(text: string): void;
  readonly warnings: readonly string[];
}

export interface RequestParts {
  message: IncomingMessage;
  user: UserInfo;
  signal: AbortSignal;
}

/** @throws ApiStatusError 400 when the URL cannot be decoded */
export function createApiRequest({ message, user, signal }: RequestParts): ApiRequest {
  const { path, segments, query, rawQuery } = parseUrl(message.url ?? "/");
  const warnings: string[] = [];
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
      body ??= readBody(message);
      return body;
    },
    warn(text) {
      if (!warnings.includes(text)) warnings.push(text);
    },
    warnings,
  };
}

interface ParsedUrl {
  path: string;
  segments: string[];
  query: URLSearchParams;
  rawQuery: string;
}

/** @throws ApiStatusError 400 */
export function parseUrl(url: string): ParsedUrl {
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  const rawQuery = mark < 0 ? "" : url.slice(mark);
  const query = new URLSearchParams(rawQuery);
  try {
    return { path, segments: path.split("/").filter(Boolean).map(decodeURIComponent), query, rawQuery };
  } catch {
    throw badRequest(`the path ${JSON.stringify(path)} is not properly percent-encoded`);
  }
}

function readBody(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () => reject(requestEntityTooLarge(`limit is ${maxBodyBytes}`));
    if (Number(message.headers["content-length"] ?? 0) > maxBodyBytes) return tooLarge();
    let chunks: Buffer[] = [];
    let length = 0;
    message.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBodyBytes) {
        chunks.push(chunk);
        return;
      }
      // The rest is read and thrown away: a connection closed on a client that still writes would lose the answer.
      chunks = [];
      tooLarge();
    });
    message.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    message.on("error", reject);
    message.on("close", () => {
      if (!message.complete) reject(new Error("the client went away"));
    });
  });
}
