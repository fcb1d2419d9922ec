import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { applyEdit, EditError } from "../files/edit.ts";
import { findMismatch } from "../files/slice.ts";
import { pathBelow } from "../files/tree.ts";
import type { EditBlock, ExerciseBlock, Page, WriteBlock } from "../page/page.ts";
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

/** An exercise in a folder where a learner follows the page by hand. */
export interface OpenExercise {
  /** Absolute path of the file that the learner writes. */
  readonly path: string;
  /**
   * Copies the tests. Writes the file if it is missing: what the page has of it so far, with the starter. Makes the
   * page's edits that lead to the starter, if the file does not have it yet and they apply. Returns what it did to the file. Throws PageFailure.
   */
  begin(): "written" | "edited" | "unchanged";
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
      const before = existsSync(path) ? readFileSync(path, "utf8") : writtenBefore(page, block);
      const edited = before === undefined ? block.content : withStarter(before, page, block);
      if (edited === undefined) return "unchanged";
      const isNew = !existsSync(path);
      put(path, edited);
      return isNew ? "written" : "edited";
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

/** Returns the text that the page last wrote to an exercise's file before the exercise. Undefined: it wrote none. */
function writtenBefore(page: Page, { file, line }: ExerciseBlock): string | undefined {
  return fileBlocks(page, file, line).findLast(({ kind }) => kind === "write")?.content;
}

/** Makes as many of the page's last edits before an exercise as it takes. Undefined: none, or they do not apply. */
function withStarter(text: string, page: Page, { file, content, line }: ExerciseBlock): string | undefined {
  if (findMismatch(content, text) === undefined) return undefined;
  const edits = fileBlocks(page, file, line).flatMap((block) => (block.kind === "edit" ? block.content : []));
  for (const [from] of edits.entries()) {
    const rest = edits.slice(from);
    // An edit that only adds lines would apply a second time.
    const edited = rest.some((edit) => isMade(edit, text)) ? undefined : applyAll(text, rest);
    if (edited !== undefined && findMismatch(content, edited) === undefined) return edited;
  }
  return undefined;
}

function fileBlocks(page: Page, file: string, before: number): (WriteBlock | EditBlock)[] {
  return page.steps
    .flatMap(({ blocks }) => blocks)
    .filter((block) => block.kind === "write" || block.kind === "edit")
    .filter((block) => block.file === file && block.line < before);
}

/**
 * Reports whether a text has lines that an edit adds: any of them if it only adds, otherwise most of them. Braces and
 * the like are on many lines.
 */
function isMade(edit: string, text: string): boolean {
  const lines = new Set(text.split("\n").map((line) => line.trim()));
  const changed = edit.split("\n").filter((line) => /^(?:\+(?!\+\+)|-(?!--)).*\w{3}/.test(line));
  const added = changed.filter((line) => line.startsWith("+"));
  const there = added.filter((line) => lines.has(line.slice(1).trim())).length;
  return added.length === changed.length ? there > 0 : there * 2 > added.length;
}

function applyAll(text: string, edits: readonly string[]): string | undefined {
  try {
    return edits.reduce((result, edit) => applyEdit(result, edit), text);
  } catch (error) {
    if (error instanceof EditError) return undefined;
    throw error;
  }
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
