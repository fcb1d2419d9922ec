const reasons: Readonly<Record<string, string>> = {
  EACCES: "you are not allowed to",
  EDQUOT: "your quota of the disk is used up",
  EISDIR: "a folder stands there",
  ELOOP: "links go round in a circle",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "it is not there any more",
  ENOSPC: "the disk is full",
  ENOTDIR: "a file stands where a folder has to be",
  EXDEV: "its folder is another disk",
  EPERM: "you are not allowed to",
  EROFS: "the disk is read-only",
};

/** Why a file could not be read or written, in words. */
export function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
