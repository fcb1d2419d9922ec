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
  /** Where what differs is accepted: how long a repeated command must have printed the same, or a process nothing. */
  readonly settled: number;
}

export const defaultLimits: Limits = {
  repeat: 30_000,
  command: 120_000,
  output: 30_000,
  interrupt: 10_000,
  removal: 30_000,
  settled: 10_000,
};
