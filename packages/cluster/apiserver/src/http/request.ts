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
  const { path, segments, query } = parseUrl(message.url ?? "/");
  const warnings: string[] = [];
  let body: Promise<Buffer> | undefined;
  return {
    method: message.method ?? "GET",
    path,
    segments,
    query,
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

export function parseUrl(url: string): { path: string; segments: string[]; query: URLSearchParams } {
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1));
  try {
    return { path, segments: path.split("/").filter(Boolean).map(decodeURIComponent), query };
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
    message.on("close", () => reject(new Error("the client went away")));
  });
}
