/** A simulated process, as `ps` and /proc show it. */
export interface SimulatedProcess {
  pid: number;
  ppid: number;
  argv: string[];
  uid: number;
  gid: number;
  user: string;
  cwd: string;
  env: Record<string, string>;
  /** Name of the container that it runs in. */
  container: string;
  /** ms since epoch. */
  startedAt: number;
  tty: boolean;
  /** The terminal that it shares with those that it has started; undefined: nobody has told its size yet, or it has none. */
  terminal?: { size: TerminalSize | undefined };
  /** Why it was killed, when that is known: the reason in the container's status. */
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

/** In characters. */
export interface TerminalSize {
  width: number;
  height: number;
}

/** Signal numbers of Linux. */
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

/** A PID namespace: one a container, or one a Pod with `shareProcessNamespace`; a targeted ephemeral container joins its target's. */
export interface ProcessTable {
  add(process: Omit<SimulatedProcess, "pid">): SimulatedProcess;
  remove(pid: number): void;
  get(pid: number): SimulatedProcess | undefined;
  /** By pid, smallest first. */
  list(): SimulatedProcess[];
  /** A shell's job, which is no process of its own here, takes a place as well until `end` is called. */
  startJob(): { end(): void };
  /** No place is left: fork fails with EAGAIN, as it does at a node's limit of PIDs. */
  readonly full: boolean;
}

/** Processes and jobs of one namespace. On a real node it is the pids cgroup that ends a fork bomb. */
const limit = 256;

export function createProcessTable(): ProcessTable {
  const processes = new Map<number, SimulatedProcess>();
  let last = 0;
  const jobs = new Set<object>();
  return {
    add(process) {
      // As in a kernel, pid 1 belongs to the first process and its number is free again only with the namespace.
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
