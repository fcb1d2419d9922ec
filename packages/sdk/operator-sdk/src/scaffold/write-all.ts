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
import { reasonOf } from "./file-error.ts";

/** Where files are written before they are moved to their places: who has it is the only one that writes. */
const stagingName = ".operator-sdk-writes";

/**
 * First everything beside its place, then each moved there; what was moved is taken back when a move fails. Of two that write
 * to one folder the second is refused.
 *
 * @param texts By path, relative, with "/"
 * @param check Called when nobody else can write any more; what it throws ends it
 * @throws CommandError when something cannot be written: then nothing was
 */
export function writeAll(
  root: string,
  texts: ReadonlyMap<string, string | Uint8Array>,
  check: () => void,
): void {
  const staging = join(root, stagingName);
  const undo: (() => void)[] = [];
  let place = ".";
  let isWhole = true;
  // Nothing below waits, so a signal that comes meanwhile is passed over, and cannot leave a half.
  const later = (): void => {};
  process.on("SIGINT", later).on("SIGTERM", later);
  try {
    mkdirSync(staging);
  } catch (error) {
    process.off("SIGINT", later).off("SIGTERM", later);
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      throw new CommandError(
        `another operator-sdk writes to this folder: try again. If there is none, one was killed: look at git status, and remove ${stagingName}; nothing was written`,
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
      return { path, file, kept: `${file}.before` };
    });
    for (const { path, file, kept } of staged) {
      place = path;
      const target = join(root, path);
      makeFolders(dirname(target), undo);
      // A copy, so that the file is never gone, whenever this is killed.
      const isThere = existsSync(target);
      if (isThere) copyFileSync(target, kept);
      renameSync(file, target);
      undo.push(() => (isThere ? renameSync(kept, target) : rmSync(target)));
    }
  } catch (error) {
    try {
      for (const step of undo.reverse()) step();
    } catch (again) {
      isWhole = false;
      throw new CommandError(
        `cannot write ${place}: ${reasonOf(error)}; nor take back what was written: ${reasonOf(again)}; what the files were is in ${stagingName}`,
      );
    }
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot write ${place}: ${reasonOf(error)}; nothing was written`);
  } finally {
    if (isWhole) rmSync(staging, { recursive: true, force: true });
    process.off("SIGINT", later).off("SIGTERM", later);
  }
}

function makeFolders(folder: string, undo: (() => void)[]): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), undo);
  mkdirSync(folder);
  undo.push(() => rmdirSync(folder));
}
