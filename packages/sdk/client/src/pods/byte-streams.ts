import { Readable, type Writable } from "node:stream";
import type { ReadableStream, WritableStream } from "node:stream/web";

/** A source of bytes: text, bytes, a Node or web stream, or any iterable of these. */
export type ByteSource =
  | string
  | Uint8Array
  | Readable
  | ReadableStream<Uint8Array | string>
  | AsyncIterable<Uint8Array | string>;

/** A destination of bytes: a Node or web stream. */
export type ByteSink = Writable | WritableStream<Uint8Array>;

/** Returns a source as a Node stream. Its `destroy` stops the source. */
export function toReadable(source: ByteSource): Readable {
  if (source instanceof Readable) return source;
  if (typeof source === "string" || source instanceof Uint8Array) return Readable.from([source]);
  return "getReader" in source ? Readable.fromWeb(source) : Readable.from(source);
}

export interface ByteWriter {
  /** Resolves when the sink accepts more. Rejects with the sink's error. */
  write(chunk: Uint8Array): Promise<void>;
  /** Stops using the sink, and leaves it open. Its owner ends it. */
  release(): void;
}

export function toWriter(sink: ByteSink): ByteWriter {
  if ("getWriter" in sink) {
    const writer = sink.getWriter();
    return {
      async write(chunk) {
        await writer.ready;
        await writer.write(chunk);
      },
      release: () => writer.releaseLock(),
    };
  }
  const failed = Promise.withResolvers<never>();
  // If the sink fails while no write is pending, the rejection must not count as unhandled.
  failed.promise.catch(() => {});
  const onClose = () => failed.reject(new Error("the stream for the output was closed"));
  sink.on("error", failed.reject).on("close", onClose);
  return {
    write: (chunk) =>
      Promise.race([
        failed.promise,
        new Promise<void>((resolve, reject) => {
          sink.write(chunk, (error) => (error ? reject(error) : resolve()));
        }),
      ]),
    release: () => void sink.off("error", failed.reject).off("close", onClose),
  };
}

/** Collects output as text. Throws when it is longer than `limit` bytes. */
export function createTextBuffer(name: string, limit: number) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  return {
    async write(chunk: Uint8Array) {
      length += chunk.length;
      if (length > limit) {
        throw new RangeError(
          `the command wrote more than ${limit} bytes to ${name}: pass a stream for ${name}, or raise maxBuffer`,
        );
      }
      chunks.push(chunk);
    },
    release() {},
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}
