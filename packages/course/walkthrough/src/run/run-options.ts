import type { Cluster } from "@operator-path/cluster";
import type { ExerciseGuide } from "../exercise/run-exercise.ts";
import type { Step } from "../page/page.ts";
import type { Reporter } from "../report/report.ts";
import type { Shared } from "./shared.ts";

/** The options of `runPage`. */
export interface RunOptions {
  /** The repository's root folder. */
  readonly root: string;
  /**
   * Default: that of `cluster`, or "embedded". The run skips blocks for other providers, and the report says
   * why.
   */
  readonly provider?: Cluster["provider"];
  /**
   * A running cluster. The run does not stop it, and removes what the page made in it. Default: if the page
   * `requires: [kubectl]`, the run starts one of the provider's.
   */
  readonly cluster?: Cluster;
  readonly reporter?: Reporter;
  /**
   * Aborting it ends the run early. Clean up still runs if the cluster outlives the run. The run closes
   * everything, and the report says how far it came.
   */
  readonly signal?: AbortSignal;
  /** Keep the run's folder. Default: it is removed. */
  readonly keep?: boolean;
  /**
   * In milliseconds. Default: `defaultLimits` of the provider. Runs of mutated pages use shorter limits: they
   * wait for output that never comes.
   */
  readonly limits?: Partial<Limits>;
  /** False: the run skips Clean up after a difference if its cluster ends with it. Default true. */
  readonly cleanUpAfterDifference?: boolean;
  /** Compare the learner's folder with the committed project at the end. Default true. */
  readonly closure?: boolean;
  /**
   * Replace expected output that differs with the actual output, and write the page at the end. Any other
   * mistake still fails the page. Default false.
   */
  readonly accept?: boolean;
  /** Folder for the folders of runs. Default: the system's folder for temporary files. */
  readonly parent?: string;
  /** Called before each step except Clean up. False ends the run there. */
  beforeStep?(step: Step): Promise<boolean>;
  /** For a learner who does the exercises. Default: the run applies the solutions. */
  readonly guide?: ExerciseGuide;
  /** State that this run shares with other runs. Default: none. */
  readonly shared?: Shared;
}

/** Time limits, in milliseconds. A block's `timeout=` overrides all of them. */
export interface Limits {
  /** Repeating a command that only reads. */
  readonly repeat: number;
  /** Before the first repetition. Later pauses grow to `longestPause`. */
  readonly pause: number;
  readonly longestPause: number;
  /** A command that runs once. */
  readonly command: number;
  /** Waiting for a running process to print its expected output, or for a prompt. */
  readonly output: number;
  /** From ^C to the end of the process. */
  readonly interrupt: number;
  /** Waiting for controllers to remove what Clean up deleted. */
  readonly removal: number;
  /** How long a resting cluster must stay unchanged. */
  readonly quiet: number;
  /** How long the cluster may take to settle after the page's last action. */
  readonly settling: number;
  /**
   * In a cluster that others use: the run removes the finalizers of leftover custom resources after this
   * time.
   */
  readonly finalizers: number;
  /** With `accept`: a repeated command must print the same, or a process nothing, for this long. */
  readonly settled: number;
}

const simulated: Limits = {
  repeat: 30_000,
  pause: 100,
  longestPause: 1000,
  command: 120_000,
  output: 60_000,
  interrupt: 60_000,
  removal: 30_000,
  quiet: 1_500,
  settling: 10_000,
  finalizers: 10_000,
  settled: 10_000,
};

/** Controllers are real ones, nodes pull images, and a container that ignores SIGTERM takes 30 seconds to end. */
const real: Limits = {
  ...simulated,
  repeat: 90_000,
  command: 300_000,
  output: 90_000,
  removal: 90_000,
  settling: 60_000,
};

/** Returns the limits for clusters of a provider. */
export function defaultLimits(provider: Cluster["provider"]): Limits {
  return provider === "embedded" ? simulated : real;
}
