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
  signal(name: Signal): void;
}

export type Signal = "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP" | "SIGQUIT" | "SIGUSR1" | "SIGUSR2";

/** Signal numbers of Linux. */
export const SIGNALS: Record<Signal, number> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGUSR2: 12,
  SIGTERM: 15,
};

/** A PID namespace: one a container, or one a Pod with `shareProcessNamespace`; a targeted ephemeral container joins its target's. */
export interface ProcessTable {
  add(process: Omit<SimulatedProcess, "pid">): SimulatedProcess;
  remove(pid: number): void;
  get(pid: number): SimulatedProcess | undefined;
  /** By pid, smallest first. */
  list(): SimulatedProcess[];
}

export function createProcessTable(): ProcessTable {
  const processes = new Map<number, SimulatedProcess>();
  let last = 0;
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
    list: () => [...processes.values()].sort((a, b) => a.pid - b.pid),
  };
}
