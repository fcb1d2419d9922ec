import { spawn } from "node:child_process";
import { once } from "node:events";

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
