import type { ActionState } from "./action-state.ts";
import type { PageView } from "./page/page-view.ts";

/** What `GET /api/workbench` returns. */
export interface WorkbenchView {
  readonly pages: readonly PageSummary[];
  readonly page: PageView;
  /** The learner's folder, for people. */
  readonly folder: string;
  /** By key: `watch-by-hand/2#0`. A missing action is to do. */
  readonly actions: Readonly<Record<string, ActionState>>;
  /** By the step's anchor. */
  readonly steps: Readonly<Record<string, StepStatus>>;
  /** The learner's answers, by the question's id. */
  readonly answers: Readonly<Record<string, string>>;
  /** The anchor of the step where the learner goes on. */
  readonly place: string;
  /** Names of the terminals: the page's, and others that are open. */
  readonly terminals: readonly string[];
  readonly files: readonly string[];
  readonly faults: readonly FaultView[];
}

export interface PageSummary {
  readonly name: string;
  readonly title: string;
  readonly minutes: number | undefined;
  readonly steps: number;
  readonly finished: number;
}

/** A fault that the learner can cause. */
export interface FaultView {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

export type StepStatus = "to do" | "running" | "done" | "differs";

/** What the socket sends. */
export type ServerMessage =
  | { readonly type: "action"; readonly key: string; readonly state: ActionState }
  | { readonly type: "steps"; readonly steps: Readonly<Record<string, StepStatus>> }
  | { readonly type: "output"; readonly terminal: string; readonly data: string }
  /** Everything that a terminal still shows, after it was opened. */
  | { readonly type: "scrollback"; readonly terminal: string; readonly data: string }
  | { readonly type: "terminals"; readonly terminals: readonly string[] }
  | { readonly type: "files"; readonly changed: string; readonly files: readonly string[] };

/** A file, as the editor knows it. */
export interface FileView {
  readonly path: string;
  readonly text: string;
  readonly version: string;
}

/** A block of the page beside the learner's file. */
export interface Comparison {
  readonly path: string;
  /** "" for a missing file. */
  readonly mine: string;
  /** What the file would be after the block. Undefined: the edit does not fit. */
  readonly page: string | undefined;
  /** Why it does not fit. */
  readonly problem?: string;
}
