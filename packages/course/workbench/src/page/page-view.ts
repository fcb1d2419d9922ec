/** A page as the browser shows it. It is plain data: HTML strings are made and cleaned on the server. */
export interface PageView {
  /** The page's name on the command line: `01-podbuggertool/1`. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Undefined: the page does not say. */
  readonly minutes: number | undefined;
  readonly steps: readonly StepView[];
}

export interface StepView {
  /** The step's anchor, as in progress.json. */
  readonly slug: string;
  readonly title: string;
  /** From 1. 0 for the text above the first heading. */
  readonly number: number;
  readonly parts: readonly Part[];
}

export type Part = TextPart | CodePart | DiagramPart | FoldPart | CommandsPart | FilePart;

export interface TextPart {
  readonly kind: "text";
  readonly html: string;
  /**
   * Id of a question that the learner answers before the next output of the step is shown. Absent if the text
   * asks nothing.
   */
  readonly question?: string;
}

/** Code to read. */
export interface CodePart {
  readonly kind: "code";
  readonly html: string;
}

export interface DiagramPart {
  readonly kind: "diagram";
  /** Source in the language of mermaid. */
  readonly source: string;
}

/** A `<details>` of the page: a hint or a solution. */
export interface FoldPart {
  readonly kind: "fold";
  readonly summary: string;
  readonly parts: readonly Part[];
}

/** Names a block of the page, and the text that the learner saw there. */
interface BlockView {
  /** The step's anchor and the block's number in it: `watch-by-hand/2`. */
  readonly id: string;
  /** Changes with the block's text, so that an outdated browser page cannot run another command. */
  readonly hash: string;
}

export interface CommandsPart extends BlockView {
  readonly kind: "commands";
  /** Name of the terminal. The first one is `main`. */
  readonly terminal: string;
  readonly entries: readonly EntryView[];
}

/** One action in a terminal, with the output that the page shows. */
export interface EntryView {
  readonly kind: "command" | "typed" | "interrupt" | "end-of-input" | "output";
  /** What is typed, with colours. */
  readonly html: string;
  /** What is typed, as text, for screen readers and to copy. */
  readonly text: string;
  readonly expected: string;
  /** Undefined: 0. */
  readonly exitStatus: number | undefined;
}

export interface FilePart extends BlockView {
  readonly kind: "file";
  readonly action: "write" | "edit" | "quotation" | "tree" | "exercise";
  /** Path within the learner's project. */
  readonly file: string;
  readonly html: string;
  /** An exercise's tests, by name. */
  readonly tests: readonly string[];
}
