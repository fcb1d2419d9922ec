import type { ExerciseTest } from "../page/page.ts";
import type { TestResult } from "./tests.ts";

/** What a learner is to write. */
export interface ExerciseTask {
  /** Path as the page has it. */
  readonly file: string;
  /** Line of the page where the exercise is. */
  readonly line: number;
  /** The file, absolute: the starter is in it. */
  readonly path: string;
  readonly starter: string;
  readonly tests: readonly ExerciseTest[];
  /** Markdown, to be shown one at a time. */
  readonly hints: readonly string[];
}

/** Connects an exercise with the learner who does it. */
export interface ExerciseGuide {
  /**
   * What next, after these results? `check` runs the tests again, and ends the exercise when they pass; `solution` goes
   * on with ours; `stop` ends the run, after its Clean up.
   */
  ask(task: ExerciseTask, results: readonly TestResult[]): Promise<"check" | "solution" | "stop">;
  /** The file is as the learner has left it for the last time: later steps go on with our solution. */
  ended(task: ExerciseTask, outcome: "solved" | "solution" | "stop"): Promise<void>;
}
