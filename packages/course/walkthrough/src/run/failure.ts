import type { MatchOptions } from "../expect/match.ts";
import type { Entry } from "../page/page.ts";
import type { DiffLine } from "../report/report.ts";

/** The printed output where the page shows another one. */
export interface Seen {
  readonly entry: Entry;
  readonly lines: readonly string[];
  readonly options: MatchOptions;
}

/** A difference from the page. It ends the run, except for Clean up, and becomes the report's Difference. */
export class PageFailure extends Error {
  readonly line: number;
  readonly diff: readonly DiffLine[];
  readonly command: string | undefined;
  /** The output, if the failure is only a difference in output. */
  readonly seen: Seen | undefined;

  constructor(
    line: number,
    message: string,
    options: { diff?: readonly DiffLine[]; command?: string; seen?: Seen | undefined } = {},
  ) {
    super(message);
    this.name = "PageFailure";
    this.line = line;
    this.diff = options.diff ?? [];
    this.command = options.command;
    this.seen = options.seen;
  }
}

/** The learner stopped the run. Clean up still runs. */
export class RunStopped extends Error {
  constructor() {
    super("stopped");
    this.name = "RunStopped";
  }
}

/** Returns the failures of an error. An error other than PageFailure is one of the run itself, at `line`. */
export function pageFailures(error: unknown, line: number): PageFailure[] {
  if (error instanceof AggregateError) return error.errors.flatMap((each) => pageFailures(each, line));
  if (error instanceof PageFailure) return [error];
  const message = error instanceof Error ? error.message : String(error);
  return [new PageFailure(line, `this could not be run: ${message}`)];
}
