const gigabyte = 2 ** 30;

/**
 * What a cluster of two nodes takes, in bytes; every text that says so says it from here, and docs/kind.md is held to it.
 * Measured on Linux while the pages ran: the node image was 0.3 GB packed and 0.9 GB unpacked, the nodes' volumes 2.4 GB; the
 * nodes used 0.9 GB of memory, with the kernel's file cache 2.5 GB at their peaks.
 */
export const clusterNeeds = {
  /** To download: the published node image differs a little from the one that was measured. */
  download: 0.4 * gigabyte,
  /** The node image, with what two nodes write. */
  disk: 4 * gigabyte,
  /** Free, for the nodes. */
  memory: 2 * gigabyte,
  /** Where containers have a virtual machine's memory: that of the whole machine, whose kernel needs some. */
  virtualMachine: 4 * gigabyte,
} as const;

/** `2 GB`, `0.4 GB`. */
export function inGigabytes(bytes: number): string {
  return `${Number((bytes / gigabyte).toFixed(1))} GB`;
}
