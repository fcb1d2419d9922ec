import { Readable } from "node:stream";
import type { Clock } from "@operator-path/client";

export interface StreamEnd {
  /** `left`: the reader leaves an open stream, by returning or by its signal. */
  how: "ended" | "broke" | "left";
  at: number;
  /** Milliseconds since the last byte. */
  silence: number;
}

export interface StreamListener {
  clock: Clock;
  signal: AbortSignal | undefined;
  onChunk(chunk: Uint8Array): void;
  /** Called with each line without its newline, before the reader receives the chunk with its end. */
  onLine(line: Uint8Array): void;
  /** Called once. */
  onEnd(end: StreamEnd): void;
  /** Returns a Node stream, like a real response. */
  asReadable: boolean;
}

/** Returns the same stream, and calls a listener for its lines and its end. */
export function listenTo(
  body: AsyncIterable<Uint8Array>,
  listener: StreamListener,
): AsyncIterable<Uint8Array> {
  const { clock, signal } = listener;
  let begun = Buffer.alloc(0);
  let last = clock.now();
  let over = false;

  function end(how: StreamEnd["how"]): void {
    if (over) return;
    over = true;
    signal?.removeEventListener("abort", onAbort);
    listener.onEnd({ how, at: clock.now(), silence: clock.now() - last });
  }
  const onAbort = () => end("left");
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });

  function listen(chunk: Uint8Array): void {
    last = clock.now();
    listener.onChunk(chunk);
    let rest = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      listener.onLine(rest.subarray(0, at));
      rest = rest.subarray(at + 1);
    }
    begun = Buffer.from(rest);
  }

  if (listener.asReadable) return readableOf(body, listen, end);
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for await (const chunk of body) {
          listen(chunk);
          yield chunk;
        }
        end("ended");
      } catch (error) {
        end("broke");
        throw error;
      } finally {
        end("left");
      }
    },
  };
}

function readableOf(
  body: AsyncIterable<Uint8Array>,
  listen: (chunk: Uint8Array) => void,
  end: (how: StreamEnd["how"]) => void,
): Readable {
  const source = body[Symbol.asyncIterator]();
  const readable = new Readable({
    read() {},
    destroy(error, callback) {
      end(error ? "broke" : "left");
      void source.return?.();
      callback(error);
    },
  });
  // Bytes in the stream's buffer have not reached the reader. After a reset they never will.
  const emit = readable.emit.bind(readable);
  readable.emit = (name: string | symbol, ...args: unknown[]) => {
    if (name === "data" && !readable.destroyed) listen(args[0] as Uint8Array);
    if (name === "end") end("ended");
    return emit(name, ...args);
  };
  void pump();
  return readable;

  async function pump(): Promise<void> {
    try {
      for (let next = await source.next(); !next.done; next = await source.next()) readable.push(next.value);
      readable.push(null);
    } catch (error) {
      readable.destroy(error as Error);
    }
  }
}
