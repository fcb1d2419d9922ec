import type { FrontMatter } from "./front-matter.ts";

/** A parsed tutorial page: its commands, edits and quotations, in the order of the text. */
export interface Page {
  /** The path given to `parsePage`. Reports repeat it. */
  readonly path: string;
  readonly frontMatter: FrontMatter;
  readonly steps: readonly Step[];
  /** The links of the text, for `checkLinks`. */
  readonly links: readonly { readonly href: string; readonly line: number }[];
  /** The Markdown, for `--accept` and for mutations. */
  readonly source: string;
}

/**
 * A level-2 heading and the text below it. Text above the first heading belongs to the step `introduction`.
 */
export interface Step {
  /** GitHub's anchor of the heading: the step's name in reports, progress and aliases. */
  readonly slug: string;
  readonly title: string;
  readonly line: number;
  readonly blocks: readonly Block[];
  /** `## Clean up` runs last, also after a failure. */
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
  /** The last command keeps running in its terminal. */
  readonly running: boolean;
  /** Name of the terminal. "" is the first one. */
  readonly terminal: string;
  /** Prompt of the foreground process. Lines that begin with it are typed. */
  readonly prompt?: string;
  /** Only these providers run the block. Default: all. */
  readonly providers?: readonly string[];
  /** The terminal changes to this folder first. It is relative to the learner's folder. */
  readonly cwd?: string;
  /** How long a command may take or be repeated, in milliseconds. Default: a limit of the run. */
  readonly timeoutMs?: number;
  /** Repeat any command until its output matches. Default: only commands that read. */
  readonly retry: boolean;
  /** How long the output must keep matching, in milliseconds. Default: it must match once. */
  readonly holdsMs?: number;
  /** The output may come in any order. */
  readonly unordered: boolean;
  /** The cluster must rest after the block. */
  readonly rests: boolean;
  /**
   * The commands write files of the project. They run again to make the start of later pages and of copies.
   */
  readonly replay: boolean;
}

/** One action in a terminal, and its expected result. */
export interface Entry {
  /**
   * - `command`: a line at the shell's prompt.
   * - `typed`: a line at the foreground process's prompt.
   * - `interrupt`: ^C.
   * - `end-of-input`: ^D.
   * - `output`: no action. The lines must follow those that matched last in the terminal.
   */
  readonly kind: "command" | "typed" | "interrupt" | "end-of-input" | "output";
  /** The command or the typed text, with newlines between lines. Empty for the other kinds. */
  readonly text: string;
  readonly line: number;
  readonly expected: Expected;
}

export interface Expected {
  /** Lines of expected output, with their place in the page. Without lines, output is not compared. */
  readonly lines: readonly { readonly text: string; readonly line: number }[];
  /** `(no output)`: the command must print nothing. */
  readonly noOutput: boolean;
  /** `? N`; undefined means 0, and after ^C any status of an interrupted program. */
  readonly exitStatus?: number;
}

/** A block below a caption: a link to one of the learner's files or folders, or its path as code. */
interface FileBlock extends BlockBase {
  readonly caption: "link" | "code";
  /** Path relative to the run's working folder, with forward slashes. */
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
  /** The learner takes the file as it is, and need not read it. It may be long. */
  readonly given: boolean;
}
export interface TreeBlock extends FileBlock {
  readonly kind: "tree";
}
/**
 * A file that the learner writes. `content` is the starter. It must match a part of the file, or becomes the
 * file if that does not exist yet.
 */
export interface ExerciseBlock extends FileBlock {
  readonly kind: "exercise";
  /** They fail with the starter and pass with the solution. At least one. */
  readonly tests: readonly ExerciseTest[];
  /** Markdown of its `Hint` folds. The learner sees one at a time. */
  readonly hints: readonly string[];
  /**
   * The blocks of its `Solution` fold. If none of them writes or edits, the solution is the file at the same
   * path in the committed project, and quotations quote the solved file.
   */
  readonly solution: readonly (WriteBlock | EditBlock | QuotationBlock)[];
}

export interface ExerciseTest {
  /** The test's title, or the titles from the outermost `describe` on, joined by " > ". */
  readonly name: string;
  /** Path relative to the run's working folder, with forward slashes. */
  readonly file: string;
}

/** Returns every block of a page, also those in the solutions of exercises. */
export function blocksOf(page: Page): Block[] {
  return page.steps
    .flatMap(({ blocks }) => blocks)
    .flatMap((block): Block[] => (block.kind === "exercise" ? [block, ...block.solution] : [block]));
}
