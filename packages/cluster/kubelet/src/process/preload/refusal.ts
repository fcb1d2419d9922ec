import os from "node:os";

/** The error that Node makes of a file that the kernel does not start. */
export function refusalOf(
  syscall: string,
  file: string,
  args: readonly string[],
  code: string,
): Error & { errno: number; code: string } {
  const known = os.constants.errno as Readonly<Record<string, number>>;
  const errno = -(known[code] ?? os.constants.errno.EACCES);
  const of = `${syscall} ${file}`;
  return Object.assign(new Error(`${of} ${code}`), { errno, code, syscall: of, path: file, spawnargs: args });
}
