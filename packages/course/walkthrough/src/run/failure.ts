import type { DiffLine } from "../report/report.ts";

/** Something is not as the page says: ends the run (Clean up excepted) and becomes the report's Difference. */
export class PageFailure extends Error {
  readonly line: number;
  readonly diff: readonly DiffLine[];
  readonly command: string | undefined;

  constructor(line: number, message: string, o: { diff?: readonly DiffLine[]; command?: string } = {}) {
    super(message);
    this.name = "PageFailure";
    this.line = line;
    this.diff = o.diff ?? [];
    this.command = o.command;
  }
}
