import { createHash } from "node:crypto";
import { constants, existsSync, lstatSync, realpathSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { listFolder } from "@operator-path/walkthrough";
import { watch } from "chokidar";

/** The learner's folder, as the browser sees it. Paths are relative to it, with forward slashes. */
export interface Files {
  /** Returns the files, without those of packages and of git. Empty while the folder does not exist. */
  list(): string[];
  /** Returns the absolute path of a file, which may not exist. Throws FileError. */
  pathOf(path: string): string;
  /** Returns a file. Undefined if it does not exist. Throws FileError. */
  read(path: string): Promise<FileText | undefined>;
  /**
   * Writes a file, and the folders above it. Throws FileError.
   *
   * @param base version of the text that the writer began with. Another version on disk is not overwritten.
   *   Undefined: overwrites any version
   */
  write(path: string, text: string, base?: string): Promise<FileText>;
  /**
   * Calls back after each change on disk, with the path, perhaps twice. Resolves, when it watches, to a function
   * that ends it.
   */
  watch(changed: (path: string) => void): Promise<() => Promise<void>>;
}

export interface FileText {
  readonly text: string;
  /** Changes with the text. `none` for a missing file. */
  readonly version: string;
}

/** A path or a file that the browser may not have. The message is for the learner. */
export class FileError extends Error {
  readonly status: 403 | 409 | 413;
  constructor(status: 403 | 409 | 413, message: string) {
    super(message);
    this.name = "FileError";
    this.status = status;
  }
}

/** An editor shows no more. */
const mostBytes = 1_000_000;

/** When a change is reported a second time, in milliseconds. */
const missedAfterMs = 150;

/** Names that are never read or written: packages are not the learner's, and git runs what its folder says. */
const closed = new Set(["node_modules", ".git"]);

/**
 * Opens the learner's folder, which may not exist yet. A path that leads out of it, also by a symbolic link, is
 * refused.
 */
export function openFiles(folder: string): Files {
  return {
    list: () => (existsSync(folder) ? listFolder(folder).filter((path) => !path.endsWith("/")) : []),
    pathOf: (path) => pathIn(folder, path),
    async read(path) {
      const file = await openFile(pathIn(folder, path), constants.O_RDONLY);
      if (!file) return undefined;
      await using _file = file;
      const stat = await file.stat();
      if (!stat.isFile()) throw new FileError(403, `${path} is not a file`);
      if (stat.size > mostBytes) throw new FileError(413, `${path} is larger than ${mostBytes} bytes`);
      return fileText(await file.readFile("utf8"));
    },
    async write(path, text, base) {
      const full = pathIn(folder, path);
      if (Buffer.byteLength(text) > mostBytes)
        throw new FileError(413, `${path} would be larger than ${mostBytes} bytes`);
      if (base !== undefined && ((await this.read(path))?.version ?? "none") !== base)
        throw new FileError(409, `${path} has changed on disk`);
      await mkdir(dirname(full), { recursive: true });
      // A link may have come in the meantime.
      pathIn(folder, path);
      const temporary = join(dirname(full), `.${basename(full)}.${process.pid}.tmp`);
      const mode = existsSync(full) ? lstatSync(full).mode & 0o777 : 0o644;
      {
        await using file = await open(
          temporary,
          constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
          mode,
        );
        await file.writeFile(text);
      }
      await rename(temporary, full);
      return fileText(text);
    },
    async watch(changed) {
      // From above, because the folder may not exist yet.
      const watcher = watch(dirname(folder), {
        ignoreInitial: true,
        ignored: (path) => path !== dirname(folder) && !isWatched(folder, path),
      });
      const again = new Map<string, NodeJS.Timeout>();
      watcher.on("all", (event, full) => {
        // chokidar can miss files that come into a new folder while it begins to watch it.
        if (event === "addDir" && existsSync(full)) {
          const names = listFolder(full).filter((name) => !name.endsWith("/"));
          for (const name of names) if (isWatched(folder, join(full, name))) report(join(full, name));
        }
        if (full !== folder) report(full);
      });
      function report(full: string): void {
        const path = full.slice(folder.length + 1).replaceAll(sep, "/");
        changed(path);
        // chokidar drops a change that follows another within 50 ms.
        clearTimeout(again.get(path));
        const last = setTimeout(() => {
          again.delete(path);
          changed(path);
        }, missedAfterMs);
        again.set(path, last);
      }
      await new Promise<void>((ready) => watcher.once("ready", ready));
      return () => {
        for (const timer of again.values()) clearTimeout(timer);
        return watcher.close();
      };
    },
  };
}

function isWatched(folder: string, path: string): boolean {
  if (!`${path}${sep}`.startsWith(`${folder}${sep}`)) return false;
  const names = path.slice(folder.length).split(sep);
  return !names.some((name) => closed.has(name) || name.endsWith(".tmp"));
}

/** Returns the absolute path of a file in a folder. Throws FileError if it leads out of it. */
function pathIn(folder: string, path: string): string {
  const names = path.split("/");
  // Backslashes and colons are parts of names here, and separators and streams on other systems.
  const isPlain = /^[^\0\\:]{1,500}$/.test(path) && names.every((name) => !["", ".", ".."].includes(name));
  if (!isPlain) throw new FileError(403, `"${path}" is not the path of a file in your folder`);
  const taken = names.find((name) => closed.has(name.toLowerCase()));
  if (taken !== undefined) throw new FileError(403, `${taken} cannot be edited here`);
  const full = join(folder, ...names);
  let existing = full;
  while (!existsLink(existing)) existing = dirname(existing);
  const root = existsSync(folder) ? realpathSync(folder) : folder;
  const isBeside = !`${existing}${sep}`.startsWith(`${folder}${sep}`);
  // The folder itself does not exist yet: nothing in it can be a link.
  if (isBeside) return full;
  if (realpathOf(existing, path) !== join(root, existing.slice(folder.length)))
    throw new FileError(403, `${path} is a link, or behind one`);
  return full;
}

function realpathOf(existing: string, path: string): string {
  try {
    return realpathSync(existing);
  } catch {
    throw new FileError(403, `${path} is a link, or behind one`);
  }
}

/** Reports whether something has this path, also a link that leads nowhere. */
function existsLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

async function openFile(path: string, flags: number) {
  try {
    return await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code)))
      return undefined;
    throw error;
  }
}

function fileText(text: string): FileText {
  return { text, version: createHash("sha256").update(text).digest("hex").slice(0, 32) };
}
