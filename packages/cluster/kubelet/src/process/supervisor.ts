import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";

/**
 * Ends what this process started if this process dies first, even by kill -9. It is a small shell that reads from a
 * pipe, which closes only when this process dies or calls `stop()`. One serves all Pods of a cluster.
 */
export interface Supervisor {
  /** The shell's. */
  readonly pid: number | undefined;
  /** @param pid leader of a process group, which is to end with this process. @returns call it when the group is gone */
  watch(pid: number): () => void;
  /** The shell ends; what was watched and not taken back ends with it. */
  stop(): Promise<void>;
}

// Builtins only but for the files: nothing has to be found or started in the moment that counts. A pid is taken off the list when its process has
// ended, before the number could be another's.
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

/** @param folder removed with everything in it when this process is gone; so is the one that it is in, if nothing else is there. */
export function startSupervisor(folder: string): Supervisor {
  const start = () => {
    const shell = spawn("/bin/sh", ["-c", script, "operator-path-supervisor", folder], {
      cwd: "/",
      detached: true,
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "ignore"],
    });
    // It must not keep us alive.
    shell.unref();
    (shell.stdin as unknown as { unref?(): void }).unref?.();
    shell.stdin.on("error", () => {});
    shell.on("error", () => {});
    // Somebody ended it: another one takes over what is watched.
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
