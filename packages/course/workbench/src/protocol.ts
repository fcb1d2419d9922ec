import type { ActionState } from "./action-state.ts";
import type { ExerciseOutcome, Outcome } from "./course.ts";
import type { LanguageMessage } from "./language/messages.ts";
import type { EntryView, PageView } from "./page/page-view.ts";

/** What a check says. */
export interface CheckResult extends Outcome {
  /** If the files are right: the first step that is not done for its commands. */
  readonly left?: CommandsLeft;
}

export interface CommandsLeft {
  readonly step: string;
  /** How many of its commands have not run. */
  readonly commands: number;
}

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
  /** Paths of the files with a text that is not saved. */
  readonly drafts: readonly string[];
  /** What has been seen of the last fault. */
  readonly fault: FaultReport | undefined;
  /** Name of a later page, whose objects were put aside for this one. */
  readonly aside: string | undefined;
}

export interface PageSummary {
  readonly name: string;
  readonly title: string;
  readonly minutes: number | undefined;
  readonly steps: number;
  readonly finished: number;
}

/** A fault that the learner can cause: `GET /api/faults`. */
export interface FaultView {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Why it cannot be caused on this cluster, or would change nothing now. */
  readonly unavailable: string | undefined;
  /** What it may be narrowed to. */
  readonly choices: readonly string[];
}

/** A fault that the learner has caused. */
export interface FaultReport {
  readonly title: string;
  /** What has happened, and what to look at. */
  readonly text: string;
  /** What has been seen since, one line each. */
  readonly seen: readonly string[];
  /** Whether it lasts until the learner ends it. */
  readonly lasts: boolean;
}

export type StepStatus = "to do" | "running" | "done" | "differs";

/** What the socket sends. */
export type ServerMessage =
  /** At once and each `beat`, so that the browser notices a server that hangs. */
  | { readonly type: "alive" }
  | { readonly type: "action"; readonly key: string; readonly state: ActionState }
  /** What a check, an exercise or "catch up" does now. */
  | { readonly type: "doing"; readonly what: string }
  | { readonly type: "steps"; readonly steps: Readonly<Record<string, StepStatus>> }
  /** Without `isPrinted`, it is the shell's prompt and echo: a resized terminal gets these again. */
  | {
      readonly type: "output";
      readonly terminal: string;
      readonly data: string;
      readonly isPrinted: boolean;
    }
  /** Everything that a terminal still shows, after it was opened. */
  | { readonly type: "scrollback"; readonly terminal: string; readonly data: string }
  | { readonly type: "terminals"; readonly terminals: readonly string[] }
  | { readonly type: "language"; readonly message: LanguageMessage }
  | { readonly type: "fault"; readonly report: FaultReport | undefined }
  | { readonly type: "files"; readonly changed: string; readonly files: readonly string[] };

/** A file, as the editor knows it. */
export interface FileView {
  readonly path: string;
  readonly text: string;
  readonly version: string;
  /** The text that is not saved. */
  readonly draft?: DraftView;
}

export interface DraftView {
  readonly text: string;
  /** Of the file that it began with. */
  readonly version: string;
}

/** The learner's answers on one page. */
export interface NotebookPage {
  readonly name: string;
  readonly title: string;
  readonly entries: readonly {
    /** Of the question. */
    readonly id: string;
    readonly step: string;
    /** The text that ends with the question. */
    readonly html: string;
    /** "" for one that the learner skipped. */
    readonly answer: string;
    /** The actions after the question, with the output that the page shows. */
    readonly happened: readonly (Pick<EntryView, "kind" | "text"> & { readonly output: string })[];
  }[];
}

/** What saving a file did. */
export interface SavedFile {
  readonly version: string;
  /** Where the replaced text is, for the learner. */
  readonly kept: string | undefined;
}

/** What writing a block or an exercise did. */
export interface Written extends Outcome {
  /** Where the file has changed, from 1. Absent if it has not. */
  readonly line?: number;
}

export type ExerciseResult = ExerciseOutcome & Written;

/** A block of the page beside the learner's file. */
export interface Comparison {
  readonly path: string;
  /** "" for a missing file. */
  readonly mine: string;
  /** What the file would be after the block. If an edit does not fit: with the page's lines where most of them are. */
  readonly page: string;
  /** Why the edit does not fit. */
  readonly problem?: string;
}
