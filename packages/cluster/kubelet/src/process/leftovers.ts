import { readdir, readFile } from "node:fs/promises";

/**
 * Kills the processes of this user that have a line in their environment, and what they start meanwhile. Works on Linux
 * only: elsewhere another process's environment cannot be read without starting a program.
 * @param line `NAME=value`, as it was given to the first of them
 */
export async function killMarked(line: string): Promise<void> {
  if (process.platform !== "linux") return;
  for (let round = 0; round < 5; round++) {
    const pids: number[] = [];
    // One after the other: many containers may end at once, and each would open as many files as there are processes.
    for (const name of await readdir("/proc")) {
      const pid = await marked(name, line);
      if (pid !== undefined) pids.push(pid);
    }
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
  }
}

async function marked(name: string, line: string): Promise<number | undefined> {
  if (!/^\d+$/.test(name) || Number(name) === process.pid) return undefined;
  const environment = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "");
  const text = Buffer.from(line).toString("latin1");
  return environment.split("\0").includes(text) ? Number(name) : undefined;
}
