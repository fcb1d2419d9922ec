export interface TestOptions {
  /** The project: tests run in it, with what is installed there. */
  readonly learner: string;
  /** Stands for the tutorial's folder. */
  readonly work: string;
  /** The whole environment of the tests. TMPDIR is where results are put for a moment. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds that the tests of a file may take together. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** What a test runner says of one file. */
export interface FileResults {
  readonly tests: readonly {
    /** From the outermost `describe` on. */
    readonly path: readonly string[];
    readonly status: "passed" | "failed" | "skipped";
    readonly message: string;
  }[];
  /** Why the file was not run at all, or not to its end. */
  readonly problem?: string;
  /** What the runner wrote, for what it says nowhere else. */
  readonly output: string;
}
