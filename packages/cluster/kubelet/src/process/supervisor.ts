import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";

/**
 * Kills what this process started if this process dies first, even by kill -9. It is a small shell that reads
 * from a pipe. The pipe closes when this process dies or calls `stop()`. All Pods of a cluster share one.
 */
export interface Supervisor {
  /** The shell's pid. */
  readonly pid: number | undefined;
  /**
   * Watches a process group.
   * @param pid the group's leader
   * @returns a function to call when the group has ended
   */
  watch(pid: number): () => void;
  /** Ends the shell, which kills the groups that are still watched. */
  stop(): Promise<void>;
}

// Uses builtins except for removing files, so that no program must be found or started at that moment. A pid
// is removed from the list before another process can have it.
const script = `
trap '' HUP INT TERM
list=' '
while read -r verb pid; do
  case $verb in
    +) list="$list$pid " ;;
    -) case $list in *" $pid "*) list="\${list%% $pid *} \${list#* $pid }" ;; esac ;;
  esac
done
for pid in $list; do kill -9 "-$pid" 2>/dev/null; done
rm -rf -- "$1"
rmdir -- "\${1%/*}" 2>/dev/null
`;

/**
 * @param folder removed with its content when this process has died or `stop()` is called. Its parent is
 *   removed too if it is empty
 */
export function startSupervisor(folder: string): Supervisor {
  const start = () => {
    const shell = spawn("/bin/sh", ["-c", script, "operator-path-supervisor", folder], {
      cwd: "/",
      detached: true,
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "ignore"],
    });
    // The shell must not keep this process alive.
    shell.unref();
    (shell.stdin as unknown as { unref?(): void }).unref?.();
    shell.stdin.on("error", () => {});
    shell.on("error", () => {});
    // Another process killed the shell. A new one takes over the watched groups.
    shell.once("exit", restart);
    return shell;
  };
  const watched = new Set<number>();
  let stopping = false;
  function restart(): void {
    if (stopping) return;
    shell = start();
    for (const pid of watched) shell.stdin.write(`+ ${pid}\n`);
  }
  let shell = start();
  return {
    get pid() {
      return shell.pid;
    },
    watch(pid) {
      watched.add(pid);
      shell.stdin.write(`+ ${pid}\n`);
      return () => {
        watched.delete(pid);
        if (!stopping) shell.stdin.write(`- ${pid}\n`);
      };
    },
    async stop() {
      stopping = true;
      if (shell.exitCode !== null || shell.signalCode !== null) return;
      shell.ref();
      const ended = once(shell, "exit");
      shell.stdin.end();
      await ended;
    },
  };
}

/**
 * Kills the processes of this user whose environment contains a line, and their new children. Works on Linux
 * only: elsewhere, reading another process's environment needs a program.
 * @param line `NAME=value`, as in the environment of the first of them
 */
export async function killMarked(line: string): Promise<void> {
  if (process.platform !== "linux") return;
  for (let round = 0; round < 5; round++) {
    const pids: number[] = [];
    // One at a time: many containers may end at once, and each would open as many files as there are
    // processes.
    for (const name of await readdir("/proc")) {
      const pid = await marked(name, line);
      if (pid !== undefined) pids.push(pid);
    }
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // The process has ended.
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
