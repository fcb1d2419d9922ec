import type { IncomingMessage } from "node:http";

/** Resolves with all bytes of an answer. Rejects when the connection breaks. */
export function readBody(response: IncomingMessage, onBytes: () => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    response.on("data", (chunk: Uint8Array) => {
      onBytes();
      chunks.push(chunk);
    });
    response.once("end", () =>
      resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)),
    );
    response.once("error", reject);
    // Has no effect after the end.
    response.once("close", () => reject(new Error("the connection was closed in the middle of the answer")));
  });
}
