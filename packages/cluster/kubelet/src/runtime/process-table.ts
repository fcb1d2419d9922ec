/** A simulated process, as `ps` and /proc show it. */
export interface SimulatedProcess {
  pid: number;
  ppid: number;
  argv: string[];
  uid: number;
  gid: number;
  cwd: string;
  env: Record<string, string>;
  /** Name of the container in which it runs. */
  container: string;
  tty: boolean;
  /**
   * The terminal, shared with the processes that it starts. Its size is undefined until the client has sent
   * one. undefined: it has no terminal.
   */
  terminal?: { size: TerminalSize | undefined };
  /** Why it was killed, if known. The container's status shows it as the reason. */
  endedBy?: "OOMKilled";
  signal(name: Signal): void;
}

export type Signal =
  | "SIGTERM"
  | "SIGKILL"
  | "SIGINT"
  | "SIGHUP"
  | "SIGQUIT"
  | "SIGUSR1"
  | "SIGUSR2"
  | "SIGWINCH";

/** Width and height in characters. */
export interface TerminalSize {
  width: number;
  height: number;
}

/** Linux signal numbers. */
export const SIGNALS: Record<Signal, number> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGUSR2: 12,
  SIGTERM: 15,
  SIGWINCH: 28,
};

/**
 * A PID namespace. Each container has one, or each Pod with `shareProcessNamespace`. A targeted ephemeral
 * container joins its target's.
 */
export interface ProcessTable {
  add(process: Omit<SimulatedProcess, "pid">): SimulatedProcess;
  remove(pid: number): void;
  get(pid: number): SimulatedProcess | undefined;
  /** Returns the processes by pid, smallest first. */
  list(): SimulatedProcess[];
  /** Counts a job of a shell against the limit until `end` is called. Here a job is not a process. */
  startJob(): { end(): void };
  /** Whether the limit is reached. fork then fails with EAGAIN, as at a node's limit of PIDs. */
  readonly full: boolean;
}

/** Processes and jobs of one namespace. On a real node, the pids cgroup stops a fork bomb. */
const limit = 256;

export function createProcessTable(): ProcessTable {
  const processes = new Map<number, SimulatedProcess>();
  let last = 0;
  const jobs = new Set<object>();
  return {
    add(process) {
      // As in a kernel, the first process gets pid 1, and no pid is used twice within the namespace.
      const added = { ...process, pid: ++last };
      processes.set(added.pid, added);
      return added;
    },
    remove(pid) {
      processes.delete(pid);
    },
    get: (pid) => processes.get(pid),
    startJob() {
      const job = { end: () => void jobs.delete(job) };
      jobs.add(job);
      return job;
    },
    get full() {
      return processes.size + jobs.size >= limit;
    },
    list: () => [...processes.values()].sort((a, b) => a.pid - b.pid),
  };
}
