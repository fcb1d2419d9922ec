import type { Clock } from "@operator-path/client";
import type { ContainerFileSystem, Mount } from "../filesystem/container-file-system.ts";
import type { ImageFile, SimulatedImage } from "../images/image.ts";
import type { NetworkNamespace } from "../network/pod-network.ts";
import { type BytePipe, createBytePipe } from "./byte-pipe.ts";
import { type ContainerLog, createContainerLog } from "./container-log.ts";
import { findProgram } from "./find-program.ts";
import type { ProcessTable, TerminalSize } from "./process-table.ts";
import type { OutputListener } from "./program.ts";
import type { Credentials } from "./security.ts";
import { type SpawnedProcess, spawnProcess } from "./spawn.ts";

/** Everything that a container is started with: the specification resolved, as the kubelet hands it to a container runtime. */
export interface ContainerConfig {
  /** 64 hexadecimal digits. */
  id: string;
  name: string;
  image: SimulatedImage;
  tag: string;
  /** Entrypoint and arguments. */
  argv: string[];
  env: Record<string, string>;
  workingDir: string;
  credentials: Credentials;
  hostname: string;
  stdin: boolean;
  stdinOnce: boolean;
  tty: boolean;
  readOnlyRootFilesystem: boolean;
  /** Bytes, of `resources.limits`. Only a process of the host heeds it. */
  memoryLimit?: number;
  processes: ProcessTable;
  /** Containers of the Pod by name, for /proc/<pid>/root. */
  siblings: (name: string) => Container | undefined;
  network: NetworkNamespace;
  mounts: Mount[];
  /** Files that the runtime puts in: /etc/hosts, /etc/hostname, /etc/resolv.conf. */
  runtimeFiles: Record<string, ImageFile>;
  clock: Clock;
  random: () => number;
}

export interface ContainerExit {
  code: number;
  /** `Completed`, `Error`, `OOMKilled`, or `StartError` when there was no program to run. */
  reason: string;
  message?: string;
  /** ms since epoch. */
  finishedAt: number;
  /** By the steady clock, ms. */
  endedAt: number;
}

/** One run of a container. A restart is another one. */
export interface Container {
  readonly config: ContainerConfig;
  readonly log: ContainerLog;
  readonly startedAt: number;
  /** Set once the main process has ended. */
  readonly exit: ContainerExit | undefined;
  readonly exited: Promise<ContainerExit>;
  /** The main process's standard input, where the container has one. */
  readonly stdin: BytePipe | undefined;
  /** The root file system with its mounts, as processes of this container see it. Made when it is first asked for. */
  filesystem(): Promise<ContainerFileSystem>;
  /** Calls back with all further output of the main process, which waits for the slowest of its listeners. */
  onOutput(listener: OutputListener): () => void;
  /**
   * Starts another process.
   * @throws StartError in the words of runc.
   */
  spawn(o: SpawnOptions): Promise<SpawnedProcess>;
  /** The window of the main process's terminal has this size from now on. */
  resize(size: TerminalSize): void;
  /** Stop signal (once, however often this is called), then SIGKILL after the shortest grace period. Resolves when the container has ended. */
  stop(graceMs: number): Promise<ContainerExit>;
}

export interface SpawnOptions {
  argv: string[];
  tty: boolean;
  stdin: BytePipe | undefined;
  onOutput: OutputListener;
}

/**
 * Starts a container: its main process runs when this resolves.
 * @throws StartError when there is no such program
 * @throws HostError when its files cannot be written to this machine's disk
 */
export async function startContainer(config: ContainerConfig): Promise<Container> {
  const { clock } = config;
  const log = createContainerLog(clock);
  const stdin = config.stdin || config.tty ? createBytePipe() : undefined;
  const listeners = new Set<OutputListener>();
  let files: Promise<ContainerFileSystem> | undefined;
  let exit: ContainerExit | undefined;
  const others = new Set<SpawnedProcess>();

  const spawn = async (o: SpawnOptions): Promise<SpawnedProcess> => {
    const program = await findProgram(container, o.argv[0] ?? "");
    const started = spawnProcess({ ...o, program, container });
    others.add(started);
    void started.exited.then(() => others.delete(started));
    return started;
  };
  const ended = Promise.withResolvers<ContainerExit>();
  let isToldToStop = false;
  // Programs want the container, and the container its main program: that is filled in below.
  const container: Container = {
    config,
    log,
    stdin,
    startedAt: clock.now(),
    get exit() {
      return exit;
    },
    exited: ended.promise,
    filesystem() {
      files ??= import("../filesystem/container-file-system.ts").then((m) =>
        m.createContainerFileSystem(container),
      );
      return files;
    },
    onOutput(listener: OutputListener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    spawn,
    resize: (size: TerminalSize) => main.resize(size),
    async stop(graceMs: number) {
      if (exit) return exit;
      // A second stop only shortens the wait, as containerd has it: to be told twice means "at once" to many programs.
      if (!isToldToStop) main.process.signal(config.image.config.stopSignal ?? "SIGTERM");
      isToldToStop = true;
      const timer = clock.setTimeout(() => main.process.signal("SIGKILL"), graceMs);
      const last = await ended.promise;
      clock.clearTimeout(timer);
      return last;
    },
  };

  const main = await startMain().catch((error: unknown) => {
    // Waiters on the end of the container now remove everything that was made for it.
    ended.resolve({ code: 128, reason: "StartError", finishedAt: clock.now(), endedAt: clock.steady() });
    throw error;
  });
  void main.exited.then((code) => {
    exit = {
      code,
      reason: code === 0 ? "Completed" : (main.process.endedBy ?? "Error"),
      finishedAt: clock.now(),
      endedAt: clock.steady(),
    };
    log.end();
    // What was exec'ed into the container ends with it.
    for (const other of others) other.process.signal("SIGKILL");
    ended.resolve(exit);
  });
  return container;

  async function startMain(): Promise<SpawnedProcess> {
    // Before its program runs: a full disk is no fault of that.
    config.image.hostRoot?.(container);
    return spawn({
      argv: config.argv,
      tty: config.tty,
      stdin,
      onOutput(stream, chunk) {
        log.write(stream, chunk);
        const busy = [...listeners].map((listener) => listener(stream, chunk)).filter(Boolean);
        if (busy.length > 0) return Promise.all(busy).then(() => {});
      },
    });
  }
}
