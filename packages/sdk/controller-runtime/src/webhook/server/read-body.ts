import type { IncomingMessage } from "node:http";

/** The maximum size of a request: two objects of at most 3 MiB, and 1 MiB for the rest. */
export const maxRequestBytes = 7 * 1024 * 1024;

/** @returns undefined as soon as the body exceeds `limit`. Rejects when the connection breaks. */
export function readBody(message: IncomingMessage, limit = maxRequestBytes): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    if (Number(message.headers["content-length"] ?? 0) > limit) resolve(undefined);
    message.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else {
        // Read and discard the rest: a caller that is still sending would not see the answer.
        chunks.length = 0;
        resolve(undefined);
      }
    });
    message.on("end", () => resolve(Buffer.concat(chunks)));
    message.on("error", reject);
    message.on("close", () => reject(new Error("the connection was closed before the request was complete")));
  });
}
