import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { CommandError } from "../command-error.ts";
import { reasonOf, writeAll } from "./write-all.ts";

/**
 * Changes to a folder. They stay in memory until `commit`, which writes all or none. Paths are relative, with
 * "/".
 */
export interface Tree {
  /**
   * Returns the text of a file after the changes so far, or undefined if it does not exist.
   *
   * @throws CommandError if it cannot be read, or leads out of the folder
   */
  read(path: string): string | undefined;
  /** Adds a file. An existing file is a conflict, unless `overwrite` is true (default false). */
  create(path: string, text: string | Uint8Array, options?: { overwrite?: boolean }): void;
  /**
   * Changes a file.
   *
   * @throws CommandError if the file does not exist
   */
  edit(path: string, change: (text: string) => string): void;
  /** Returns the files that `commit` will write, in the order of the changes. */
  changed(): string[];
  /** @throws CommandError that names all conflicts */
  check(): void;
  /**
   * Writes all files, or none.
   *
   * @throws CommandError as `check` does, and if a file has changed since it was read, or cannot be written
   */
  commit(): void;
}

/** Opens a folder for changes. */
export function openTree(root: string): Tree {
  const texts = new Map<string, string | Uint8Array>();
  /** The text of each file when it was first read. */
  const originals = new Map<string, string | undefined>();
  const conflicts: string[] = [];

  const read = (path: string): string | undefined => {
    const changed = texts.get(path);
    if (changed !== undefined) return typeof changed === "string" ? changed : Buffer.from(changed).toString();
    const text = readIfPresent(root, path);
    if (!originals.has(path)) originals.set(path, text);
    return text;
  };

  const check = (): void => {
    if (conflicts.length === 0) return;
    const [exist, them] = conflicts.length === 1 ? ["exists", "it"] : ["exist", "them"];
    throw new CommandError(
      `${conflicts.join(", ")} already ${exist}: move ${them} away first; nothing was written`,
    );
  };

  const checkUnchanged = (): void => {
    for (const path of texts.keys()) {
      if (readIfPresent(root, path) === originals.get(path)) continue;
      throw new CommandError(`${path} has changed while this command ran: run it again; nothing was written`);
    }
  };

  return {
    read,
    create(path, text, { overwrite = false } = {}) {
      if (read(path) !== undefined && !overwrite) conflicts.push(path);
      texts.set(path, text);
    },
    edit(path, change) {
      const text = read(path);
      if (text === undefined) throw new CommandError(`${path} is missing: restore it from git`);
      const after = change(text);
      if (after !== text) texts.set(path, after);
    },
    changed: () => [...texts.keys()],
    check,
    commit() {
      check();
      if (texts.size > 0) writeAll(root, texts, checkUnchanged);
    },
  };
}

/** Reads a file. Checks every folder in its path, which may be a link out of the project, or a file. */
function readIfPresent(root: string, path: string): string | undefined {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join("/");
    const found = attempt(part, () => lstatSync(join(root, part), { throwIfNoEntry: false }));
    if (!found) return undefined;
    const isLast = depth === parts.length;
    if (found.isSymbolicLink()) checkLink(root, part, isLast);
    else if (isLast ? found.isDirectory() : !found.isDirectory()) {
      throw new CommandError(
        `${part} is ${isLast ? "a folder, but must be a file" : "not a folder, but must be one"}: move it away first; nothing was written`,
      );
    } else if (isLast && !found.isFile()) {
      throw new CommandError(`${part} is not a regular file: move it away first; nothing was written`);
    }
  }
  return attempt(path, () => readFileSync(join(root, path), "utf8"));
}

/**
 * Rejects a link that leads out of the project. A folder may be a link within the project, but a file may
 * not: writing it would replace the link.
 */
function checkLink(root: string, path: string, isFile: boolean): void {
  const target = attempt(path, () => realpathSync(join(root, path)));
  const outside = !`${target}${sep}`.startsWith(`${realpathSync(root)}${sep}`);
  if (!outside && !isFile) return;
  throw new CommandError(
    `${path} is a link${outside ? " that leads out of the project" : ""}: put the ${isFile ? "file" : "folder"} itself there; nothing was written`,
  );
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new CommandError(`cannot read ${path}: ${reasonOf(error)}; nothing was written`);
  }
}
