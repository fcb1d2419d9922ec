import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Compresses the bytes of an object, using what it has in common with others of its kind. */
export interface ColdCodec {
  /** Takes about 70 µs for an object of a few kilobytes. */
  compress(bytes: Uint8Array): Buffer;
  /** Takes about 10 µs. @throws Error if this codec did not compress the bytes */
  expand(compressed: Uint8Array): Buffer;
}

/**
 * A larger dictionary is slower and gains almost nothing: a few objects contain all member names and common
 * values.
 */
const dictionaryBytes = 16 * 1024;
/** So that one huge object does not fill the dictionary. */
const sampleBytes = 4 * 1024;

/** Most objects fit in this. zlib allocates this much for each result, and again for each further part. */
const usualBytes = 8 * 1024;

/**
 * Returns a codec for objects like the samples. Four or more samples of ordinary size work best. Without
 * samples each object is compressed by itself.
 *
 * It uses deflate. With so little context zstd compresses no better at the same speed, takes twice as long to
 * expand, and is missing in some versions of Node.
 */
export function createColdCodec(samples: readonly Uint8Array[]): ColdCodec {
  const dictionary = Buffer.concat(samples.map((sample) => sample.subarray(0, sampleBytes)));
  // The first samples decide the size. deflate refers most cheaply to the end of the dictionary.
  const options = { dictionary: Buffer.from(dictionary.subarray(0, dictionaryBytes)), chunkSize: usualBytes };
  return {
    compress: (bytes) => deflateRawSync(bytes, options),
    expand: (compressed) => inflateRawSync(compressed, options),
  };
}

/** A value counts as common if this many samples contain it. */
const sharedBy = 3;

/** Longer texts are individual: certificates, configuration, commands. */
const longestValue = 64;

/** Values below these members are never common: those of Secrets, ConfigMaps and environment variables. */
const privateMembers = new Set(["data", "stringData", "binaryData", "value"]);

/**
 * Returns what the samples have in common: the names of their members, and short values that several of them
 * share. The dictionary lives as long as the process, so it must not contain data of a single object, least
 * of all of a Secret.
 *
 * @param samples JSON; invalid samples are skipped
 */
export function shapesOf(samples: readonly Uint8Array[]): Uint8Array[] {
  const objects = samples.flatMap((sample) => {
    try {
      return [JSON.parse(Buffer.from(sample).toString())];
    } catch {
      return [];
    }
  });
  const counts = new Map<unknown, number>();
  for (const object of objects) {
    const values = new Set<unknown>();
    shapeOf(object, (value) => values.add(value));
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const isUsual = (value: unknown) => (counts.get(value) ?? 0) >= sharedBy;
  return objects.map((object) => Buffer.from(JSON.stringify(shapeOf(object, isUsual))));
}

/** Returns a copy with empty texts and zeros in place of values that must not stay. */
function shapeOf(value: unknown, isKept: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => shapeOf(item, isKept));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        shapeOf(member, privateMembers.has(name) ? () => false : isKept),
      ]),
    );
  }
  if (typeof value === "string") return value.length <= longestValue && isKept(value) ? value : "";
  if (typeof value === "number") return isKept(value) ? value : 0;
  return value;
}
