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
 * Starts a container. Resolves when its main process runs.
 * @throws StartError when the program does not exist
 * @throws HostError when its files cannot be written to this machine's disk
 */
export async function startContainer(config: ContainerConfig): Promise<Container> {
  const { clock } = config;
  const log = createContainerLog(clock);
  const stdin = config.stdin || config.tty ? createBytePipe() : undefined;
  const listeners = new Set<OutputListener>();
  let files: Promise<ContainerFileSystem> | undefined;
  let exit: ContainerExit | undefined;
  const execProcesses = new Set<SpawnedProcess>();

  const spawn = async (options: SpawnOptions): Promise<SpawnedProcess> => {
    const program = await findProgram(container, options.argv[0] ?? "");
    const started = spawnProcess({ ...options, program, container });
    execProcesses.add(started);
    void started.exited.then(() => execProcesses.delete(started));
    return started;
  };
  const ended = Promise.withResolvers<ContainerExit>();
  let isStopping = false;
  // Programs need the container and the container needs its main process, so `main` is set below.
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
      // As in containerd, a second stop only shortens the grace period. Many programs exit at once on a
      // second signal.
      if (!isStopping) main.process.signal(config.image.config.stopSignal ?? "SIGTERM");
      isStopping = true;
      const timer = clock.setTimeout(() => main.process.signal("SIGKILL"), graceMs);
      const last = await ended.promise;
      clock.clearTimeout(timer);
      return last;
    },
  };

  const main = await startMain().catch((error: unknown) => {
    // Callers that wait for the end of the container now remove what was created for it.
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
    // Processes of exec end with the container.
    for (const other of execProcesses) other.process.signal("SIGKILL");
    ended.resolve(exit);
  });
  return container;

  async function startMain(): Promise<SpawnedProcess> {
    // Creates the files before the program runs, so that a full disk is not reported as the program's
    // failure.
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

/** Returns 64 hexadecimal digits, the form of a container runtime's IDs. */
export function randomId(random: () => number): string {
  return Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join("");
}
