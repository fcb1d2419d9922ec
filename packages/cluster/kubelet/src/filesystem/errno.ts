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

/** An error of a file system, in the form that Node.js gives it. */
export function errno(code: Code, path: string): Error {
  return Object.assign(new Error(`${code}: ${WORDS[code]}, '${path}'`), { code });
}
