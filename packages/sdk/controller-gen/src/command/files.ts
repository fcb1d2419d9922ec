import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { OptionError } from "../option-error.ts";

/** A file that a run makes. */
export interface OutputFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** Files that are not there, or say something else; in order, relative to `cwd`. */
export function staleFiles(files: readonly OutputFile[], cwd: string): string[] {
  return changedFiles(files, cwd).map(({ path }) => relative(cwd, path));
}

/**
 * Writes all files, or none: each is first written beside its place, and moved there when all are. A file that says the
 * same already is left alone, so that nothing is built anew because of it.
 *
 * @throws OptionError naming the file, relative to `cwd`, that cannot be written
 */
export function writeFiles(files: readonly OutputFile[], cwd: string): void {
  const changed = changedFiles(files, cwd).map((file) => ({
    ...file,
    temporary: `${file.path}.${process.pid}.tmp`,
  }));
  try {
    for (const { path, text, temporary } of changed) {
      attempt("write", path, cwd, () => {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(temporary, text);
      });
    }
    for (const { path, temporary } of changed) attempt("write", path, cwd, () => renameSync(temporary, path));
  } finally {
    for (const { temporary } of changed) rmSync(temporary, { force: true });
  }
}

/**
 * A file's text.
 *
 * @throws OptionError naming the file, relative to `cwd`, and why it cannot be read
 */
export function readText(path: string, cwd: string): string {
  return attempt("read", path, cwd, () => readFileSync(path, "utf8"));
}

function changedFiles(files: readonly OutputFile[], cwd: string): OutputFile[] {
  return files.filter(({ path, text }) => readIfThere(path, cwd) !== text);
}

function readIfThere(path: string, cwd: string): string | undefined {
  return attempt("write", path, cwd, () => {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "you are not allowed to",
  EEXIST: "a file stands where a folder has to be",
  EISDIR: "a folder stands there",
  ENOENT: "it is not there",
  ENOSPC: "the disk is full",
  ENOTDIR: "a file stands where a folder has to be",
  EPERM: "you are not allowed to",
  EROFS: "the disk is read-only",
};

function attempt<T>(what: "read" | "write", path: string, cwd: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new OptionError(`cannot ${what} ${relative(cwd, path)}: ${reasons[code] ?? message}`);
  }
}
