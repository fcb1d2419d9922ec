import type { FailurePlaces } from "./failure-place.ts";

/** How a runner runs tests of a file. */
export interface RunnerOptions {
  /** The project. The tests run in it, with its installed packages. */
  readonly learner: string;
  /** The run's working folder, in the place of the tutorial's. */
  readonly work: string;
  /** The whole environment of the tests. Temporary results go to TMPDIR. */
  readonly env: Readonly<Record<string, string>>;
  /** How long the tests of a file may take together, in milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** Matches the full names of the tests to run. */
  readonly pattern: string;
}

export interface TestOptions extends Omit<RunnerOptions, "pattern"> {
  /** Runs the tests that are for vitest. It starts at the first of them. */
  readonly vitest: VitestRunner;
}

/** The results of a test runner for one file. */
export interface FileResults {
  readonly tests: readonly (FailurePlaces & {
    /** The titles from the outermost `describe` on. */
    readonly path: readonly string[];
    readonly status: "passed" | "failed" | "skipped";
    readonly message: string;
  })[];
  /** Why the file did not run, or not to its end. */
  readonly problem?: string;
  /** The output of the runner. */
  readonly output: string;
}

/** Runs test files with the vitest of a project, which stays loaded between them. */
export interface VitestRunner extends AsyncDisposable {
  /**
   * Runs tests of a file. Call it again when the call before has settled. Rejects if vitest does not start, or
   * on abort.
   *
   * @param path relative to the project
   */
  run(path: string, options: RunnerOptions): Promise<FileResults>;
  /** Ends vitest. */
  [Symbol.asyncDispose](): Promise<void>;
}
