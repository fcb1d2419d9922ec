import { finished, Readable } from "node:stream";
import { slice } from "./slice.ts";

/**
 * Gives each chunk of a body to a function that works on it at once, and the event loop its turn in between. Rejects
 * when the body breaks off, and with what the function throws; the body is closed then.
 */
export function readChunks(
  body: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  return body instanceof Readable ? readStream(body, onChunk) : readIterable(body, onChunk);
}

/** A stream that flows calls for each chunk; iterated, it would join chunks and take several turns for each. */
function readStream(body: Readable, onChunk: (chunk: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    finished(body, { writable: false }, (error) => (error ? reject(error) : resolve()));
    body.on("data", (chunk: Uint8Array) => {
      if (body.destroyed) return;
      try {
        onChunk(chunk);
      } catch (error) {
        reject(error);
        body.destroy();
        return;
      }
      if (!slice.isOver()) return;
      body.pause();
      slice.next().then(() => body.resume());
    });
  });
}

async function readIterable(
  body: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  for await (const chunk of body) {
    onChunk(chunk);
    // A body that always has more, as one of the same process may, must not keep everything else waiting.
    if (slice.isOver()) await slice.next();
  }
}
