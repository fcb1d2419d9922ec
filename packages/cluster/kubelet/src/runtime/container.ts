import { createBytePipe } from "./byte-pipe.ts";
import { createContainerLog } from "./container-log.ts";
import type {
  Container,
  ContainerConfig,
  ContainerExit,
  ContainerFileSystem,
  OutputListener,
  SpawnedProcess,
  SpawnOptions,
} from "./contracts.ts";
import { findProgram } from "./find-program.ts";
import type { TerminalSize } from "./process-table.ts";
import { spawnProcess } from "./spawn.ts";

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

  const spawn = async (options: SpawnOptions): Promise<SpawnedProcess> => {
    const program = await findProgram(container, options.argv[0] ?? "");
    const started = spawnProcess({ ...options, program, container });
    others.add(started);
    void started.exited.then(() => others.delete(started));
    return started;
  };
  const ended = Promise.withResolvers<ContainerExit>();
  let isStopping = false;
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
      if (!isStopping) main.process.signal(config.image.config.stopSignal ?? "SIGTERM");
      isStopping = true;
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

/** 64 hexadecimal digits, as container runtimes number containers. */
export function randomId(random: () => number): string {
  return Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join("");
}
