import type { IFileSystem } from "just-bash";
import type { Credentials } from "../runtime/security.ts";

/** Owners and permissions in a file system. Root owns everything except what other users created. */
export interface AccessTable {
  /** Lets every user write to this path. */
  open(path: string): void;
  /** Makes this user the owner, unless the path already has an owner. */
  made(path: string, uid: number): void;
  ownerOf(path: string): number;
  mayRead(fs: IFileSystem, path: string, who: Credentials): Promise<boolean>;
  /** @param what the entry's content or mode, or the folder that holds the entry (to create or remove it) */
  mayWrite(fs: IFileSystem, path: string, what: "entry" | "folder", who: Credentials): Promise<boolean>;
}

/**
 * @param options.groupOwned whether every viewer is in the files' group. Otherwise group 0 owns root's files
 */
export function createAccessTable(options: { groupOwned?: boolean } = {}): AccessTable {
  const owners = new Map<string, number>();
  const open = new Set<string>();
  const parent = (path: string) => path.slice(0, path.lastIndexOf("/")) || "/";
  const stat = (fs: IFileSystem, path: string) => fs.stat(path).catch(() => undefined);
  const ownerOf = (path: string) => owners.get(path) ?? 0;
  const isOpen = (path: string) => open.has(path);

  async function mayWriteTo(fs: IFileSystem, path: string, who: Credentials): Promise<boolean> {
    if (isOpen(path)) return true;
    const found = await stat(fs, path);
    if (!found) return false;
    return ownerOf(path) === who.uid ? (found.mode & 0o200) !== 0 : (found.mode & 0o002) !== 0;
  }

  return {
    open: (path) => void open.add(path),
    made(path, uid) {
      if (uid !== 0 && !owners.has(path)) owners.set(path, uid);
    },
    ownerOf,
    async mayRead(fs, path, who) {
      if (who.capabilities.has("DAC_OVERRIDE")) return true;
      const found = await stat(fs, path);
      if (!found) return true; // "No such file" is the file system's to say.
      if (ownerOf(path) === who.uid) return (found.mode & 0o400) !== 0;
      const inGroup = options.groupOwned || (who.gid === 0 && ownerOf(path) === 0);
      return (found.mode & (inGroup ? 0o044 : 0o004)) !== 0;
    },
    async mayWrite(fs, path, what, who) {
      if (who.capabilities.has("DAC_OVERRIDE")) return true;
      if (what === "entry" && (await fs.exists(path))) {
        // Existing content belongs to root, even if every user may write to its folder.
        return mayWriteTo(fs, path, who);
      }
      return mayWriteTo(fs, parent(path), who);
    },
  };
}

type Code = "EACCES" | "EROFS" | "EPERM" | "ENOENT" | "ENOTDIR" | "EISDIR" | "EINVAL" | "ENOSPC";

const WORDS: Record<Code, string> = {
  EACCES: "permission denied",
  EROFS: "read-only file system",
  EPERM: "operation not permitted",
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
  EISDIR: "illegal operation on a directory",
  EINVAL: "invalid argument",
  ENOSPC: "no space left on device",
};

/** Returns a file system error as Node.js throws it. */
export function errno(code: Code, path: string): Error {
  return Object.assign(new Error(`${code}: ${WORDS[code]}, '${path}'`), { code });
}
