import {
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { CommandError } from "../command-error.ts";

/**
 * The folder in which files are written before they are moved. It is also a lock: only its creator writes.
 */
const stagingName = ".operator-sdk-writes";

/**
 * Writes all files, or none. Writes them to a staging folder and then moves each one to its place. If a move
 * fails, it undoes the previous moves. Only one process can write to a folder at the same time.
 *
 * @param texts the files by relative path, with "/"
 * @param check runs after the lock is taken; an error stops the process
 * @throws CommandError if another process writes, or if a file cannot be written
 */
export function writeAll(
  root: string,
  texts: ReadonlyMap<string, string | Uint8Array>,
  check: () => void,
): void {
  const staging = join(root, stagingName);
  const undo: (() => void)[] = [];
  let place = ".";
  let isConsistent = true;
  // All steps below are synchronous. Ignoring signals meanwhile prevents a partial result.
  const ignore = (): void => {};
  process.on("SIGINT", ignore).on("SIGTERM", ignore);
  try {
    mkdirSync(staging);
  } catch (error) {
    process.off("SIGINT", ignore).off("SIGTERM", ignore);
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      throw new CommandError(
        `another operator-sdk is writing to this folder: try again. If none is running, one was killed: check git status and remove ${stagingName}; nothing was written`,
      );
    }
    throw new CommandError(`cannot write to this folder: ${reasonOf(error)}; nothing was written`);
  }
  try {
    check();
    const staged = [...texts].map(([path, text], index) => {
      place = path;
      const file = join(staging, `${index}`);
      const before = statSync(join(root, path), { throwIfNoEntry: false });
      writeFileSync(file, text, { mode: before?.mode ?? 0o666 });
      return { path, file, backup: `${file}.before` };
    });
    for (const { path, file, backup } of staged) {
      place = path;
      const target = join(root, path);
      makeFolders(dirname(target), undo);
      // This is a copy, so the file exists at any time, even if this process is killed.
      const exists = existsSync(target);
      if (exists) copyFileSync(target, backup);
      renameSync(file, target);
      undo.push(() => (exists ? renameSync(backup, target) : rmSync(target)));
    }
  } catch (error) {
    try {
      for (const step of undo.reverse()) step();
    } catch (again) {
      isConsistent = false;
      throw new CommandError(
        `cannot write ${place}: ${reasonOf(error)}; cannot undo the previous writes: ${reasonOf(again)}; the old files are in ${stagingName}`,
      );
    }
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot write ${place}: ${reasonOf(error)}; nothing was written`);
  } finally {
    if (isConsistent) rmSync(staging, { recursive: true, force: true });
    process.off("SIGINT", ignore).off("SIGTERM", ignore);
  }
}

function makeFolders(folder: string, undo: (() => void)[]): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), undo);
  mkdirSync(folder);
  undo.push(() => rmdirSync(folder));
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EDQUOT: "your disk quota is exceeded",
  EISDIR: "it is a folder",
  ELOOP: "its links form a cycle",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "it does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "its folder is a file",
  EXDEV: "its folder is on another disk",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
};

/** Returns why a file cannot be read or written, as a phrase. */
export function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
