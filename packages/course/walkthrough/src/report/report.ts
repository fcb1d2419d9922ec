import type { Block } from "../page/page.ts";

/** The result of a run of a page. `--json` writes it as it is. */
export interface Report {
  /** Path of the page. */
  readonly page: string;
  readonly title: string;
  readonly provider: string;
  readonly passed: boolean;
  /** In the format of RFC 3339. */
  readonly startedAt: string;
  readonly seconds: number;
  readonly steps: readonly StepReport[];
  /**
   * Why the page did not run: it is not for this cluster, or the machine lacks a program. It neither passed
   * nor failed.
   */
  readonly skipped?: string;
  /** The first difference from the page. Later ones mostly follow from it. */
  readonly difference?: Difference;
  /** With `accept`: the expected output that changed, in the order of the page. */
  readonly accepted?: readonly AcceptedChange[];
  /** What remained after Clean up: processes, ports, files, objects of the cluster. */
  readonly leaks: readonly string[];
  /** The run's folder, if it was kept. */
  readonly folder?: string;
}

export interface StepReport {
  readonly slug: string;
  readonly title: string;
  readonly line: number;
  readonly status: "passed" | "failed" | "skipped" | "not run";
  readonly seconds: number;
  /** Why blocks did not run: they are for other providers. */
  readonly skipped: readonly string[];
}

export interface Difference {
  readonly page: string;
  /** Line of the page that differs. */
  readonly line: number;
  /** Slug of the step. */
  readonly step: string;
  /** What differs, in one sentence. */
  readonly message: string;
  /** The command, as the shell ran it. */
  readonly command?: string;
  /** `-` lines of the page, `+` lines of the run, ` ` lines of both. */
  readonly diff: readonly DiffLine[];
  /** More to look at: Events, Pods that are not ready, last lines of running terminals. */
  readonly context: readonly { readonly title: string; readonly lines: readonly string[] }[];
}

/** A line of the page that was replaced. */
export interface AcceptedChange {
  /** Line of the page before the change. */
  readonly line: number;
  /** The old line. Empty if lines were only added above or below it. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export interface DiffLine {
  readonly kind: " " | "-" | "+";
  readonly text: string;
}

/** Receives the events of a run. All methods are optional. */
export interface Reporter {
  pageStarted?(page: { path: string; title: string; provider: string }): void;
  stepStarted?(step: { slug: string; title: string; line: number; index: number; count: number }): void;
  /** A command starts, or an edit is made. `what` describes it, and `block`, if it is one, contains it. */
  doing?(what: string, line: number, block?: Block): void;
  /** A command, key or typed line has the output that the page expects, or any if it expects none. */
  showed?(output: readonly string[]): void;
  /** A note before the steps: what may slow the page down or fail it. Stays on the terminal. */
  note?(text: string): void;
  /** The run asks a question on the same terminal. Draw nothing until the next `doing`. */
  asking?(): void;
  stepFinished?(step: StepReport): void;
  pageFinished?(report: Report): void;
}
