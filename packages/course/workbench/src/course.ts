import type { KubeConfig } from "@operator-path/client";
import type { ClusterFaults } from "@operator-path/cluster";
import type { Page } from "@operator-path/walkthrough";
import type { LearnerShell } from "./learner-terminal.ts";

/** The commands of the course, for the workbench. The package above implements them. */
export interface Course {
  /** Returns all pages in reading order, and how far the learner is on each. */
  pages(): Promise<PageEntry[]>;
  /** Returns a page without preparing anything. Throws UserError. */
  read(name: string): Promise<Page>;
  /** Prepares a page: its cluster, the learner's folder and the shell. Throws UserError. */
  open(name: string): Promise<CoursePage>;
  /** Returns the later page of the tutorial whose objects the cluster has: they would disturb an earlier page. */
  laterThan(name: string): Promise<string | undefined>;
  /** Puts the objects of a later page aside, and stops their cluster. `open` then starts another one. */
  goBackTo(name: string): Promise<void>;
}

/** A page in the list of pages. */
export interface PageEntry {
  /** `01-podbuggertool/1`. */
  readonly name: string;
  readonly title: string;
  readonly minutes: number | undefined;
  readonly steps: number;
  readonly finished: number;
}

export interface CoursePage {
  readonly name: string;
  readonly page: Page;
  /** Returns the name of the page in a Markdown file beside this one. */
  pageOf(file: string): string | undefined;
  /** Absolute path of the learner's project. It may not exist yet. */
  readonly folder: string;
  readonly shell: LearnerShell;
  /** Folder for temporary files, removed by the owner of the course. */
  readonly directory: string;
  readonly kubeConfig: KubeConfig;
  /** Undefined: the cluster is not the session's own. */
  readonly faults: ClusterFaults | undefined;
  /** Returns the anchors of the finished steps. */
  finished(): Promise<readonly string[]>;
  /** Adds a finished step. */
  finish(step: string): Promise<void>;
  /** Saves the cluster's objects, so that the next session makes them again even if this one is killed. */
  saveObjects(): Promise<void>;
  /**
   * Says which files and objects the page makes above a line, and the learner does not have.
   *
   * @param text the command that failed, and its output. Only files that it names count
   */
  missingAbove(line: number, text: string): Promise<readonly string[]>;
  /** @param unfinished steps of the page that stay unfinished, whatever the files are: their commands have not run */
  check(step: string | undefined, doing: Doing, unfinished: ReadonlySet<string>): Promise<CheckOutcome>;
  catchUp(step: string, doing: Doing): Promise<Outcome>;
  /** @param number of the exercise in its step, from 1 */
  exercise(step: string, number: number, action: ExerciseAction, doing: Doing): Promise<ExerciseOutcome>;
  /** Folder for the unsaved texts of the editor. It outlives the session. */
  readonly drafts: string;
  /** Saves a text of the learner that is about to be replaced. Returns where, for the learner. */
  keep(file: string, text: string): Promise<string>;
}

/** Is called with what runs now, which may take seconds: "checking the types". */
export type Doing = (what: string) => void;

export type ExerciseAction = "begin" | "check" | "solution";

export interface ExerciseOutcome extends Outcome {
  /** The results of a check's tests. `text` is what else it says. Undefined: none has run. */
  readonly tests?: readonly TestOutcome[];
}

/** The result of a test of an exercise. */
export interface TestOutcome {
  readonly name: string;
  /** The test's file, for the learner. */
  readonly file: string;
  /** `broken`: it did not run, or failed for another reason than what it tests. */
  readonly status: "passed" | "failed" | "broken";
  /** The words of the test's runner. "" for a passed test, and for one that fails as another one above it does. */
  readonly message: string;
  /** Sentences of what to look at. */
  readonly advice: readonly string[];
  /** What the test compares: values of `key`, if the result has keys. */
  readonly values?: { readonly key?: string; readonly expected: string; readonly received: string };
  /** Where to look in the learner's project. */
  readonly place?: { readonly file: string; readonly line: number };
}

export interface CheckOutcome extends Outcome {
  /** The last step of the page whose files are right. Undefined: that of another page, or none. */
  readonly reached?: string;
}

/** What a command of the course says. */
export interface Outcome {
  readonly ok: boolean;
  /** Lines without escape sequences. */
  readonly text: string;
}
