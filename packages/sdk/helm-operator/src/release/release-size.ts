import { gzipSync } from "node:zlib";

/** The limit of Kubernetes for the data of a Secret: one mebibyte. */
export const largestRelease = 1024 * 1024;

/**
 * The factor by which a stored release may exceed our estimate: Go's gzip compresses differently, and helm
 * adds a little before it stores a release (when hooks ran, how it ended).
 */
const margin = 1.01;

/** A release does not fit a Secret. Nothing has been written. */
export class ReleaseTooLarge extends Error {
  override readonly name = "ReleaseTooLarge";
  /** Its approximate size in bytes. */
  readonly size: number;

  constructor(release: string, size: number) {
    const inKilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KiB`;
    super(
      `release ${release} would take ${inKilobytes(size)} (compressed), but a Secret holds at most ${inKilobytes(largestRelease)}: exclude unneeded files (.helmignore), or split the chart`,
    );
    this.size = size;
  }
}

/** Packs a release's JSON as helm does: gzip, then base64. */
export function packRelease(json: string): string {
  return gzipSync(json, { level: 9 }).toString("base64");
}

/**
 * Estimates the bytes that the data of a release's Secret will take: the chart with all its files, the
 * manifest and the values. Exact to a hundredth, and never too low.
 *
 * @param json the output of `helm … --dry-run -o json`, which is what helm stores
 */
export function releaseSize(json: string): number {
  return Math.ceil(packRelease(json).length * margin);
}
