import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { OptionError } from "../problem.ts";

/** A generated file. */
export interface OutputFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the files that are missing on disk or differ from the generated ones, relative to `cwd` and in
 * order.
 *
 * @throws OptionError if a file cannot be read
 */
export function staleFiles(files: readonly OutputFile[], cwd: string): string[] {
  return changedFiles(files, cwd).map(({ path }) => relative(cwd, path));
}

/**
 * Writes all files, or none. Writes each one to a temporary file beside its target, and then renames them
 * all. Skips a file that is already up to date, so its modification time does not trigger a build.
 *
 * @throws OptionError if a file cannot be written; it names the file, relative to `cwd`
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
 * Returns the text of a file.
 *
 * @throws OptionError if it cannot be read; it names the file, relative to `cwd`, and the reason
 */
export function readText(path: string, cwd: string): string {
  return attempt("read", path, cwd, () => readFileSync(path, "utf8"));
}

function changedFiles(files: readonly OutputFile[], cwd: string): OutputFile[] {
  return files.filter(({ path, text }) => readIfPresent(path, cwd) !== text);
}

function readIfPresent(path: string, cwd: string): string | undefined {
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
  EACCES: "permission denied",
  EEXIST: "its folder is a file",
  EISDIR: "it is a folder",
  ENOENT: "it does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "its folder is a file",
  EPERM: "permission denied",
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
