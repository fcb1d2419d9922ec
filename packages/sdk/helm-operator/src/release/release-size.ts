import { gzipSync } from "node:zlib";

/** What Kubernetes lets the data of a Secret be: a mebibyte. */
export const largestRelease = 1024 * 1024;

/**
 * How much larger than ours Go's gzip comes out, at most, and what helm adds before it stores a release (when hooks ran, how
 * it ended).
 */
const margin = 1.01;

/** A release that no Secret can hold. Nothing has been written. */
export class ReleaseTooLarge extends Error {
  override readonly name = "ReleaseTooLarge";
  /** Bytes that it would take, about. */
  readonly size: number;

  constructor(release: string, size: number) {
    const inKilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KiB`;
    super(
      `release ${release} would take ${inKilobytes(size)}, compressed, and a Secret holds ${inKilobytes(largestRelease)}: leave out of the chart what it does not need (.helmignore), or divide it`,
    );
    this.size = size;
  }
}

/** As helm packs a release's JSON: gzip, then base64. */
export function packRelease(json: string): string {
  return gzipSync(json, { level: 9 }).toString("base64");
}

/**
 * The bytes that the data of a release's Secret would take: the chart with all its files is in there, the manifest, the
 * values. Within a hundredth, and not less than it will be.
 *
 * @param json what `helm … --dry-run -o json` prints, which is what helm stores
 */
export function releaseSize(json: string): number {
  return Math.ceil(packRelease(json).length * margin);
}
