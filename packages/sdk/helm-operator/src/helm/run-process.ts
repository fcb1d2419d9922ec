import type { Clock } from "@operator-path/client";
import { execa } from "execa";

interface ProcessOptions {
  readonly path: string;
  readonly arguments: readonly string[];
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The descriptor of a file for the standard input. Default: no input. */
  readonly input?: number | undefined;
  /** The descriptor of a file for the process's descriptor 3. Default: none. */
  readonly third?: number | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds between SIGINT and SIGKILL. */
  readonly grace: number;
  readonly clock: Clock;
}

export interface ProcessResult {
  /** undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  /** The signal that ended it: "SIGKILL". */
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** More than helm prints for the largest release, including its chart. */
const maxBuffer = 512 * 1024 * 1024;

/**
 * Runs a program in its own process group. When the signal aborts, the group gets SIGINT, as from Ctrl-C, on
 * which helm records that its operation failed. After the grace period it gets SIGKILL.
 *
 * @throws Error when it cannot be started
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  const { path, environment, folder, input, third, signal, grace, clock } = options;
  const subprocess = execa(path, options.arguments, {
    cwd: folder,
    env: environment,
    extendEnv: false,
    detached: true,
    reject: false,
    maxBuffer,
    // Any descriptor works; execa's types name the first ten.
    stdio: [
      (input as 3 | undefined) ?? "ignore",
      "pipe",
      "pipe",
      ...(third === undefined ? [] : [third as 3]),
    ],
  });
  const kill = (name: NodeJS.Signals) => killGroup(subprocess.pid, name);
  let timer: unknown;
  const onAbort = () => {
    kill("SIGINT");
    timer = clock.setTimeout(() => kill("SIGKILL"), grace);
  };
  const forget = killOnExit(subprocess.pid);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    const result = await subprocess;
    // Neither an exit code nor a signal: the process never ran.
    if (result.exitCode === undefined && result.signal === undefined) throw result;
    const { exitCode, signal: endedBy } = result;
    return { exitCode, signal: endedBy, stdout: String(result.stdout), stderr: String(result.stderr) };
  } finally {
    signal.removeEventListener("abort", onAbort);
    forget();
    if (timer !== undefined) clock.clearTimeout(timer);
  }
}

/** The leaders of the process groups that are running. */
const groups = new Set<number>();

/** Stops the running helm processes when this process exits at once. */
function onExit(): void {
  for (const pid of groups) killGroup(pid, "SIGINT");
}

/** Stops a process group when this process exits. @returns a function that cancels this */
function killOnExit(pid: number | undefined): () => void {
  if (pid === undefined) return () => {};
  if (groups.size === 0) process.on("exit", onExit);
  groups.add(pid);
  return () => {
    groups.delete(pid);
    if (groups.size === 0) process.off("exit", onExit);
  };
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}
