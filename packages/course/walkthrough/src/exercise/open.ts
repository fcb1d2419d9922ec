import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { applyEdit, EditError } from "../files/edit.ts";
import { findMismatch } from "../files/slice.ts";
import { pathBelow } from "../files/tree.ts";
import type { ExerciseBlock, Page } from "../page/page.ts";
import { withStage } from "../project/stage.ts";
import { placeTests } from "./files.ts";
import type { VitestRunner } from "./test-run.ts";
import { runTests, type TestResult } from "./tests.ts";

export interface OpenExerciseOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** The learner's working folder. It takes the place of the tutorial's folder, and contains the project. */
  readonly work: string;
  /** The whole environment of the tests, with TMPDIR. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** As in `TestOptions`. */
  readonly vitest: VitestRunner;
}

/** What the begin of an exercise did to the learner's files. */
export interface Begun {
  readonly file: "written" | "edited" | "unchanged";
  /** Absolute paths of the other files that were edited. */
  readonly others: readonly string[];
}

/** An exercise in a folder where a learner follows the page by hand. */
export interface OpenExercise {
  /** Absolute path of the file that the learner writes. */
  readonly path: string;
  /**
   * Copies the tests. Writes the file if it is missing: what the page has of it so far, with the starter. Makes the
   * page's edits that lead to the starter, if the file does not have it yet and they apply, and the edits of other
   * files that the step has before the exercise. Throws PageFailure.
   */
  begin(): Begun;
  /** Runs the tests. Throws PageFailure if they cannot run. */
  check(): Promise<TestResult[]>;
  /**
   * Replaces the files by the solution. Returns their absolute paths. Throws PageFailure if an earlier step
   * does not apply.
   */
  solve(): Promise<string[]>;
}

/** Returns the exercise for the learner's folder. Changes no file until a method is called. */
export function openExercise(page: Page, block: ExerciseBlock, options: OpenExerciseOptions): OpenExercise {
  const folders = { work: options.work, tutorial: dirname(resolve(page.path)) };
  const { project = "" } = page.frontMatter;
  const path = pathBelow(options.work, block.file);
  const files = [...new Set([block.file, ...block.solution.map(({ file }) => file)])];
  return {
    path,
    begin() {
      placeTests(block, folders);
      const others = editOthers(page, block, options.work);
      const before = beforeExercise(page, block);
      if (!existsSync(path)) {
        put(path, textOf(before) ?? block.content);
        return { file: "written", others };
      }
      const edited = withStarter(unixLines(path), block.content, before);
      if (edited === undefined) return { file: "unchanged", others };
      put(path, edited);
      return { file: "edited", others };
    },
    check: () => {
      placeTests(block, folders);
      const tests = {
        work: options.work,
        learner: join(options.work, project),
        env: options.env,
        signal: options.signal,
        vitest: options.vitest,
      };
      return runTests(block, { ...tests, timeout: 120_000 });
    },
    solve: () =>
      withStage(
        page,
        { root: options.root, until: block.line, ...(options.signal && { signal: options.signal }) },
        async (stage) => {
          const solved = new Map(
            files.map((file) => [file, readFileSync(join(stage, project === "" ? "." : "..", file), "utf8")]),
          );
          for (const [file, text] of solved) put(pathBelow(options.work, file), text);
          return files.map((file) => pathBelow(options.work, file));
        },
      ),
  };
}

/** What a page does to an exercise's file before the exercise. */
interface Before {
  /** What it last writes. Undefined: an earlier page has written the file. */
  readonly written: string | undefined;
  /** The edits after that. */
  readonly edits: readonly string[];
}

function beforeExercise(page: Page, { file, line }: ExerciseBlock): Before {
  const blocks = page.steps
    .flatMap((step) => step.blocks)
    .filter((block) => block.kind === "write" || block.kind === "edit")
    .filter((block) => block.file === file && block.line < line);
  const last = blocks.findLastIndex(({ kind }) => kind === "write");
  return { written: blocks[last]?.content, edits: blocks.slice(last + 1).map(({ content }) => content) };
}

/** Returns the page's text after the first of the edits. Undefined if the page does not write the file. */
function textOf({ written, edits }: Before, count = edits.length): string | undefined {
  return written === undefined ? undefined : applyAll(written, edits.slice(0, count));
}

/** Makes as many of the page's last edits before an exercise as it takes. Undefined: none, or they do not apply. */
function withStarter(text: string, starter: string, before: Before): string | undefined {
  if (findMismatch(starter, text) === undefined) return undefined;
  for (const [from] of before.edits.entries()) {
    const rest = before.edits.slice(from);
    // An edit that only adds lines would apply a second time.
    const isBegun = rest.some((edit, i) => isMade(edit, text, textOf(before, from + i)));
    const edited = isBegun ? undefined : applyAll(text, rest);
    if (edited !== undefined && findMismatch(starter, edited) === undefined) return edited;
  }
  return undefined;
}

/** Makes the edits of other files that a step has before its exercise, as far as they apply and are not made. */
function editOthers(page: Page, { file, line }: ExerciseBlock, work: string): string[] {
  const step = page.steps.findLast((one) => one.line <= line);
  const edited = new Set<string>();
  for (const block of step?.blocks ?? []) {
    if (block.kind !== "edit" || block.file === file || block.line > line) continue;
    const path = pathBelow(work, block.file);
    if (!existsSync(path)) continue;
    const text = unixLines(path);
    const result = isMade(block.content, text) ? undefined : applyAll(text, [block.content]);
    if (result === undefined) continue;
    put(path, result);
    edited.add(path);
  }
  return [...edited];
}

/**
 * Reports whether a text has lines that an edit adds: any of them if it only adds, otherwise most of them. Braces and
 * the like are on many lines. So is what the page's text had before the edit, if that is known.
 */
function isMade(edit: string, text: string, before = ""): boolean {
  const [lines, known] = [linesOf(text), linesOf(before)];
  const changed = edit.split("\n").filter((line) => /^(?:\+(?!\+\+)|-(?!--)).*\w{3}/.test(line));
  const added = changed.filter((line) => line.startsWith("+"));
  const fresh = added.map((line) => line.slice(1).trim()).filter((line) => !known.has(line));
  const there = fresh.filter((line) => lines.has(line)).length;
  return added.length === changed.length ? there > 0 : there * 2 > fresh.length;
}

function linesOf(text: string): ReadonlySet<string> {
  return new Set(text.split("\n").map((line) => line.trim()));
}

function applyAll(text: string, edits: readonly string[]): string | undefined {
  try {
    return edits.reduce((result, edit) => applyEdit(result, edit), text);
  } catch (error) {
    if (error instanceof EditError) return undefined;
    throw error;
  }
}

/** Reads a file without Windows line ends: a diff does not apply to them. */
function unixLines(path: string): string {
  return readFileSync(path, "utf8").replaceAll("\r\n", "\n");
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
