import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Makes the bytes of an object small, by what it has in common with others of its kind. */
export interface ColdCodec {
  /** Some 70 µs for an object of a few kilobytes. */
  compress(bytes: Uint8Array): Buffer;
  /** What this codec compressed, in some 10 µs. @throws Error when it is anything else */
  expand(compressed: Uint8Array): Buffer;
}

/** More makes it slower with nearly nothing gained: the names of the members and the usual values are in a few objects. */
const dictionaryBytes = 16 * 1024;
/** So that one huge object is not all of it. */
const sampleBytes = 4 * 1024;

/** What most objects fit in: the memory that zlib gets for each result, and again for what does not. */
const usualBytes = 8 * 1024;

/**
 * A codec for objects like the samples. Four or more of ordinary size are best; with none it compresses each object by
 * itself.
 *
 * Deflate, and not zstd, which is no smaller at the same speed with so little to look at, takes twice as long to expand
 * it, and is not in every Node.
 */
export function createColdCodec(samples: readonly Uint8Array[]): ColdCodec {
  const dictionary = Buffer.concat(samples.map((sample) => sample.subarray(0, sampleBytes)));
  // What comes last is nearest to what is compressed, and so is cheapest to refer to; the size is made by the first ones.
  const options = { dictionary: Buffer.from(dictionary.subarray(0, dictionaryBytes)), chunkSize: usualBytes };
  return {
    compress: (bytes) => deflateRawSync(bytes, options),
    expand: (compressed) => inflateRawSync(compressed, options),
  };
}
