import type { Cluster } from "@operator-path/cluster";

/** How long things may take, in milliseconds. A block's `timeout=` stands above all of them. */
export interface Limits {
  /** How long a command that only reads is repeated. */
  readonly repeat: number;
  readonly command: number;
  /** How long a running process may take to print what is expected, and a prompt to appear. */
  readonly output: number;
  /** From ^C to the end of the process. */
  readonly interrupt: number;
  /** How long controllers may take to remove what Clean up has deleted. */
  readonly removal: number;
  /** How long nothing may happen in a cluster that rests. */
  readonly quiet: number;
  /** How long what the page did last may take to settle before the cluster rests. */
  readonly settling: number;
  /** In a cluster that others use afterwards: how long finalizers hold what a page has left, before they are taken off. */
  readonly finalizers: number;
  /** Where what differs is accepted: how long a repeated command must have printed the same, or a process nothing. */
  readonly settled: number;
}

const simulated: Limits = {
  repeat: 30_000,
  command: 120_000,
  output: 30_000,
  interrupt: 10_000,
  removal: 30_000,
  quiet: 1_500,
  settling: 10_000,
  finalizers: 10_000,
  settled: 10_000,
};

/** Images are pulled, and a container that hears no SIGTERM takes its 30 seconds to end. */
const containers: Limits = {
  ...simulated,
  repeat: 90_000,
  command: 300_000,
  output: 90_000,
  removal: 90_000,
  settling: 60_000,
};

/** What a provider's clusters need. */
export function defaultLimits(provider: Cluster["provider"]): Limits {
  return provider === "kind" || provider === "existing" ? containers : simulated;
}
