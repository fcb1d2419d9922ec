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
  /** Default: that of `cluster`, or "embedded". Blocks for another one are skipped, with the reason in the report. */
  readonly provider?: Cluster["provider"];
  /**
   * A running cluster. The run does not stop it, and removes what the page made in it. Default: if the page
   * `requires: [kubectl]`, the run starts one of the provider's.
   */
  readonly cluster?: Cluster;
  readonly reporter?: Reporter;
  /** Aborting ends the run: Clean up still runs (where the cluster outlives us), everything is closed, the report says what was reached. */
  readonly signal?: AbortSignal;
  /** Keep the run's folder. Default: it is removed. */
  readonly keep?: boolean;
  /** Shorter or longer limits than the usual, in milliseconds: mutations need not wait 30 s for what will not come. */
  readonly limits?: Partial<Limits>;
  /** False: after a difference Clean up is left out, where the cluster ends with the run. Default true. */
  readonly cleanUpAfterDifference?: boolean;
  /** Compare the learner's folder with the committed project at the end. Default true. */
  readonly closure?: boolean;
  /**
   * Replace expected output that differs with what was seen, and write the page at the end. Any other mistake still
   * fails the page. Default false.
   */
  readonly accept?: boolean;
  /** Where run folders are made. Default: the system's folder for temporary files. */
  readonly parent?: string;
  /** Asked before each step but Clean up; false ends the run there. */
  beforeStep?(step: Step): Promise<boolean>;
  /** For a learner who does the exercises. Default: the solution is applied. */
  readonly guide?: ExerciseGuide;
  /** What this run has in common with others. Default: nothing. */
  readonly shared?: Shared;
}
