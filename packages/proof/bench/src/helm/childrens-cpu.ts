import { readFile } from "node:fs/promises";

/** Ticks a second, as Linux tells programs on every machine (USER_HZ). */
const ticks = 100;

/**
 * Milliseconds of processor time that the ended children of this process have taken, in steps of ten (proc(5): cutime and
 * cstime, the 16th and 17th field of /proc/self/stat).
 *
 * @throws Error where there is no /proc
 */
export async function childrensCpu(): Promise<number> {
  const stat = await readFile("/proc/self/stat", "utf8").catch(() => {
    throw new Error("the processor time of helm is read from /proc, and there is none: run this on Linux");
  });
  // The second field is the program's name, in brackets, and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[13]) + Number(fields[14])) * 1_000) / ticks;
}
