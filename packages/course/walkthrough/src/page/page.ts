import type { FrontMatter } from "./front-matter.ts";

/** A tutorial page, parsed: what is run, written and quoted, in the order of the text. */
export interface Page {
  /** Path as it was given to `parsePage`; reports repeat it. */
  readonly path: string;
  readonly frontMatter: FrontMatter;
  readonly steps: readonly Step[];
  /** Relative link targets of the text, for the check that each resolves. */
  readonly links: readonly { readonly href: string; readonly line: number }[];
  /** The Markdown, for `--accept` and for mutations. */
  readonly source: string;
}

/** A level-2 heading and what stands below it. Text above the first heading belongs to the step `introduction`. */
export interface Step {
  /** GitHub's anchor of the heading: the step's name in reports, progress and aliases. */
  readonly slug: string;
  readonly title: string;
  readonly line: number;
  readonly blocks: readonly Block[];
  /** `## Clean up`: runs last, also after a failure. */
  readonly cleanUp: boolean;
}

export type Block = ConsoleBlock | QuotationBlock | EditBlock | WriteBlock | TreeBlock | ExerciseBlock;

interface BlockBase {
  /** Line of the opening fence. */
  readonly line: number;
  /** Line of the closing fence. */
  readonly endLine: number;
}

export interface ConsoleBlock extends BlockBase {
  readonly kind: "console";
  readonly options: ConsoleOptions;
  readonly entries: readonly Entry[];
}

export interface ConsoleOptions {
  /** The last command is left running in its terminal. */
  readonly running: boolean;
  /** Name of the terminal; "" is the one that a page begins in. */
  readonly terminal: string;
  /** Prompt of the foreground process; lines that begin with it are typed. */
  readonly prompt?: string;
  /** Providers that the block is for. Absent: all. */
  readonly providers?: readonly string[];
  /** Folder to change to first, relative to the working folder. */
  readonly cwd?: string;
  /** How long a command may take, or may be repeated, in milliseconds. */
  readonly timeoutMs?: number;
  /** Repeat until it matches, whatever the command is. */
  readonly retry: boolean;
  /** Must stay true that long, in milliseconds. */
  readonly holdsMs?: number;
  readonly unordered: boolean;
  /** Afterwards the cluster rests. */
  readonly rests: boolean;
  /** Its commands write files of the project: they are done again to make what later pages, and copies, begin with. */
  readonly replay: boolean;
}

/** One thing done in a terminal, and what is expected of it. */
export interface Entry {
  /**
   * `command`: a line at the shell's prompt. `typed`: a line at the foreground process's prompt. `interrupt`: ^C.
   * `end-of-input`: ^D. `output`: nothing is done; the lines come after what was last matched in that terminal.
   */
  readonly kind: "command" | "typed" | "interrupt" | "end-of-input" | "output";
  /** The command or the typed text; several lines joined by newlines. Empty for the other kinds. */
  readonly text: string;
  readonly line: number;
  readonly expected: Expected;
}

export interface Expected {
  /** Lines of expected output, with their place in the page. Empty: output is not compared. */
  readonly lines: readonly { readonly text: string; readonly line: number }[];
  /** `(no output)`: there must be none. */
  readonly noOutput: boolean;
  /** `? N`; undefined means 0 (after ^C: anything that an interrupted program says). */
  readonly exitStatus?: number;
}

/** A block that stands under a link to a file or folder of the learner's. */
interface FileBlock extends BlockBase {
  /** Path below the working folder, with forward slashes. */
  readonly file: string;
  readonly content: string;
}

export interface QuotationBlock extends FileBlock {
  readonly kind: "quotation";
  readonly language: string;
}
export interface EditBlock extends FileBlock {
  readonly kind: "edit";
}
export interface WriteBlock extends FileBlock {
  readonly kind: "write";
}
export interface TreeBlock extends FileBlock {
  readonly kind: "tree";
}
/**
 * The learner writes it. `content` is the starter: a slice of the file as it is in the folder, or all of a file that is not
 * there yet.
 */
export interface ExerciseBlock extends FileBlock {
  readonly kind: "exercise";
  /** What fails with the starter and passes with the solution; at least one. */
  readonly tests: readonly ExerciseTest[];
  /** Markdown of its `Hint` folds, to be shown one at a time. */
  readonly hints: readonly string[];
  /**
   * What stands in its `Solution` fold. Where none of it writes or edits, the solution is the same path in the committed
   * project; quotations are of the solved file.
   */
  readonly solution: readonly (WriteBlock | EditBlock | QuotationBlock)[];
}

export interface ExerciseTest {
  /** Its title, or the titles from the outermost `describe` on, joined by " > ". */
  readonly name: string;
  /** Path below the working folder, with forward slashes. */
  readonly file: string;
}

/** Every block of a page, those in the solutions of exercises included. */
export function blocksOf(page: Page): Block[] {
  return page.steps
    .flatMap(({ blocks }) => blocks)
    .flatMap((block): Block[] => (block.kind === "exercise" ? [block, ...block.solution] : [block]));
}
