import { finished, Readable } from "node:stream";
import { slice } from "./slice.ts";

/**
 * Passes each chunk of a body to a synchronous function, and yields to the event loop in between. Rejects
 * when the body breaks off or the function throws; the body is then closed.
 */
export function readChunks(
  body: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  return body instanceof Readable ? readStream(body, onChunk) : readIterable(body, onChunk);
}

/**
 * A flowing stream calls once per chunk. Iteration would join chunks and take several turns of the event loop
 * for each.
 */
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
    // A body in the same process may always have more data. It must not starve everything else.
    if (slice.isOver()) await slice.next();
  }
}
