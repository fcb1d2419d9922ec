import type { IncomingMessage } from "node:http";
import { UiError } from "./reply.ts";

/**
 * Reads a body of JSON.
 *
 * @param limit in bytes
 * @throws UiError if its type is not JSON, it is too long, or it does not parse
 */
export async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  const type = request.headers["content-type"] ?? "";
  // A form cannot send this type.
  if (!/^application\/json(?:;\s*charset=utf-8)?$/i.test(type))
    throw new UiError(415, "the Content-Type must be application/json");
  const tooLong = () => new UiError(413, `the body is longer than ${limit} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLong();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limit) throw tooLong();
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new UiError(400, "the body is not JSON");
  }
}
