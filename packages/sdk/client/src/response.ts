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

/** Returns the headers by name in lower case. Joins repeated headers with ", ". */
export function headersOf(response: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    headers[name] = Array.isArray(value) ? value.join(", ") : (value ?? "");
  }
  return headers;
}

/**
 * Yields the chunks of an answer as they arrive. Throws the result of `toError` when the connection breaks.
 */
export function chunksOf(
  response: IncomingMessage,
  toError: (error: unknown) => unknown,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = response[Symbol.asyncIterator]();
      const rethrow = (error: unknown): never => {
        throw toError(error);
      };
      return {
        next: () => chunks.next().catch(rethrow),
        return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
