import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { CommandError } from "../command-error.ts";
import { reasonOf } from "./file-error.ts";
import { writeAll } from "./write-all.ts";

/** Changes to a folder, in memory until `commit`: then all of them happen, or none. Paths are relative, with "/". */
export interface Tree {
  /**
   * As it is after the changes so far; undefined when it is not there.
   *
   * @throws CommandError when it cannot be read, or leads out of the folder
   */
  read(path: string): string | undefined;
  /** A new file. One that is there already is a clash, unless it may be overwritten. */
  create(path: string, text: string | Uint8Array, options?: { overwrite?: boolean }): void;
  /** @throws CommandError when the file is not there */
  edit(path: string, change: (text: string) => string): void;
  /** What `commit` will write, in the order of the changes. */
  changed(): string[];
  /** @throws CommandError that names all clashes */
  check(): void;
  /**
   * Writes everything, or nothing.
   *
   * @throws CommandError as `check` does, when a file is not any more what it was, or when one cannot be written
   */
  commit(): void;
}

export function openTree(root: string): Tree {
  const texts = new Map<string, string | Uint8Array>();
  /** What each file said when it was first looked at. */
  const seen = new Map<string, string | undefined>();
  const clashes: string[] = [];

  const read = (path: string): string | undefined => {
    const changed = texts.get(path);
    if (changed !== undefined) return typeof changed === "string" ? changed : Buffer.from(changed).toString();
    const text = readIfThere(root, path);
    if (!seen.has(path)) seen.set(path, text);
    return text;
  };

  const check = (): void => {
    if (clashes.length === 0) return;
    const [are, them] = clashes.length === 1 ? ["is", "it"] : ["are", "them"];
    throw new CommandError(
      `${clashes.join(", ")} ${are} there already, and nothing of yours is overwritten: move ${them} away first; nothing was written`,
    );
  };

  const checkUnchanged = (): void => {
    for (const path of texts.keys()) {
      if (readIfThere(root, path) === seen.get(path)) continue;
      throw new CommandError(`${path} has changed while this command ran: run it again; nothing was written`);
    }
  };

  return {
    read,
    create(path, text, { overwrite = false } = {}) {
      if (read(path) !== undefined && !overwrite) clashes.push(path);
      texts.set(path, text);
    },
    edit(path, change) {
      const text = read(path);
      if (text === undefined)
        throw new CommandError(`${path} is not there, and has to be edited: take it from git`);
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

/** Every folder on the way is looked at: a link may lead anywhere, and a file is no folder. */
function readIfThere(root: string, path: string): string | undefined {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join("/");
    const found = attempt(part, () => lstatSync(join(root, part), { throwIfNoEntry: false }));
    if (!found) return undefined;
    const isLast = depth === parts.length;
    if (found.isSymbolicLink()) checkLink(root, part, isLast);
    else if (isLast ? found.isDirectory() : !found.isDirectory()) {
      throw new CommandError(
        `${part} is ${isLast ? "a folder, and has to be a file" : "no folder, and has to be one"}: move it away first; nothing was written`,
      );
    } else if (isLast && !found.isFile()) {
      throw new CommandError(`${part} is no file: move it away first; nothing was written`);
    }
  }
  return attempt(path, () => readFileSync(join(root, path), "utf8"));
}

/** A folder may be a link to another one of the project. A file that is a link would become a file when it is written. */
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
