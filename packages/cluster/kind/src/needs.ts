const gigabyte = 2 ** 30;

/**
 * What a cluster with two nodes needs, in bytes. All texts take the numbers from here, and docs/kind.md is
 * checked against them. Measured on Linux while the pages ran: the node image was 0.3 GB packed and 0.9 GB
 * unpacked, and the nodes' volumes 2.4 GB. The nodes used 0.9 GB of memory, and 2.5 GB at their peaks with
 * the kernel's file cache.
 */
export const clusterNeeds = {
  /** To download. The published node image differs a little from the measured one. */
  download: 0.4 * gigabyte,
  /** The node image, and the data of two nodes. */
  disk: 4 * gigabyte,
  /** Free memory for the nodes. */
  memory: 2 * gigabyte,
  /**
   * The memory of the whole machine, if containers run in a virtual machine, whose kernel also needs some.
   */
  virtualMachine: 4 * gigabyte,
} as const;

/** Formats `2 GB`, `0.4 GB`. */
export function inGigabytes(bytes: number): string {
  return `${Number((bytes / gigabyte).toFixed(1))} GB`;
}
