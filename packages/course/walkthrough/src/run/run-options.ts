import type { Cluster } from "@operator-path/cluster";
import type { ExerciseGuide } from "../exercise/guide.ts";
import type { Step } from "../page/page.ts";
import type { Reporter } from "../report/report.ts";
import type { Limits } from "./limits.ts";
import type { Shared } from "./shared.ts";

/** The options of `runPage`. */
export interface RunOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** Default: that of `cluster`, or "embedded". The run skips blocks for other providers, and the report says why. */
  readonly provider?: Cluster["provider"];
  /**
   * A running cluster. The run does not stop it, and removes what the page made in it. Default: if the page
   * `requires: [kubectl]`, the run starts one of the provider's.
   */
  readonly cluster?: Cluster;
  readonly reporter?: Reporter;
  /**
   * Aborting it ends the run early. Clean up still runs if the cluster outlives the run. The run closes everything, and
   * the report says how far it came.
   */
  readonly signal?: AbortSignal;
  /** Keep the run's folder. Default: it is removed. */
  readonly keep?: boolean;
  /**
   * In milliseconds. Default: `defaultLimits` of the provider. Runs of mutated pages use shorter limits: they wait for
   * output that never comes.
   */
  readonly limits?: Partial<Limits>;
  /** False: the run skips Clean up after a difference if its cluster ends with it. Default true. */
  readonly cleanUpAfterDifference?: boolean;
  /** Compare the learner's folder with the committed project at the end. Default true. */
  readonly closure?: boolean;
  /**
   * Replace expected output that differs with the actual output, and write the page at the end. Any other mistake still
   * fails the page. Default false.
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
