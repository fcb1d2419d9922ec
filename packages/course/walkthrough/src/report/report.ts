/** What a run of a page found out. JSON-serialisable as it is; `--json` writes it. */
export interface Report {
  /** Path of the page. */
  readonly page: string;
  readonly title: string;
  readonly provider: string;
  readonly passed: boolean;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly seconds: number;
  readonly steps: readonly StepReport[];
  /** Why nothing of the page was run: it is not for this cluster, or the machine lacks a program. It has not passed then, and not failed. */
  readonly skipped?: string;
  /** The first thing that was not as the page says. Later ones follow from it more often than not. */
  readonly difference?: Difference;
  /** Expected output that the page has now, and had not before: with `accept`. In the order of the page. */
  readonly accepted?: readonly AcceptedChange[];
  /** What was still there after Clean up: processes, ports, files, cluster objects. */
  readonly leaks: readonly string[];
  /** The run's folder, when it was kept. */
  readonly folder?: string;
}

export interface StepReport {
  readonly slug: string;
  readonly title: string;
  readonly line: number;
  readonly status: "passed" | "failed" | "skipped" | "not run";
  readonly seconds: number;
  /** Blocks that were for another provider, with the reason. */
  readonly skipped: readonly string[];
}

export interface Difference {
  readonly page: string;
  /** Line of the page that is not true. */
  readonly line: number;
  /** Step's slug. */
  readonly step: string;
  /** One sentence: what differs. */
  readonly message: string;
  /** The command as the learner's shell ran it. */
  readonly command?: string;
  /** `-` what the page says, `+` what was seen, ` ` both. */
  readonly diff: readonly DiffLine[];
  /** What else helps: events, pods that are not ready, last lines of running terminals. */
  readonly context: readonly { readonly title: string; readonly lines: readonly string[] }[];
}

/** A line of the page that is another now. */
export interface AcceptedChange {
  /** As the page was. */
  readonly line: number;
  /** What stood there; empty where lines were added below it, or above. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export interface DiffLine {
  readonly kind: " " | "-" | "+";
  readonly text: string;
}

/** Told while a page runs. Every method may be left out. */
export interface Reporter {
  pageStarted?(page: { path: string; title: string; provider: string }): void;
  stepStarted?(step: { slug: string; title: string; line: number; index: number; count: number }): void;
  /** A command starts, or an edit is made: one line of what. */
  doing?(what: string, line: number): void;
  /** Before the steps: what may make the page slow, or fail. A line that stays. */
  note?(text: string): void;
  /** The run asks a question on the same terminal: draw nothing until the next `doing`. */
  asking?(): void;
  stepFinished?(step: StepReport): void;
  pageFinished?(report: Report): void;
}
