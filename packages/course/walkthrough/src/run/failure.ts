import type { MatchOptions } from "../expect/match.ts";
import type { Entry } from "../page/page.ts";
import type { DiffLine } from "../report/report.ts";

/** What was seen where the page says something else. */
export interface Seen {
  readonly entry: Entry;
  readonly lines: readonly string[];
  readonly options: MatchOptions;
}

/** Something is not as the page says: ends the run (Clean up excepted) and becomes the report's Difference. */
export class PageFailure extends Error {
  readonly line: number;
  readonly diff: readonly DiffLine[];
  readonly command: string | undefined;
  /** The output, for a failure that is only a difference in output. */
  readonly seen: Seen | undefined;

  constructor(
    line: number,
    message: string,
    o: { diff?: readonly DiffLine[]; command?: string; seen?: Seen | undefined } = {},
  ) {
    super(message);
    this.name = "PageFailure";
    this.line = line;
    this.diff = o.diff ?? [];
    this.command = o.command;
    this.seen = o.seen;
  }
}

/** The learner has stopped the run. Clean up still runs. */
export class RunStopped extends Error {
  constructor() {
    super("stopped");
    this.name = "RunStopped";
  }
}

/**
 * Returns a failure for each thing that went wrong. Any error but a PageFailure is one of the run itself, at that line.
 */
export function pageFailures(error: unknown, line: number): PageFailure[] {
  if (error instanceof AggregateError) return error.errors.flatMap((each) => pageFailures(each, line));
  if (error instanceof PageFailure) return [error];
  const message = error instanceof Error ? error.message : String(error);
  return [new PageFailure(line, `this could not be run: ${message}`)];
}
