import type { Clock } from "@operator-path/client";
import { execa } from "execa";
import { endWithUs, killGroup } from "./kill-group.ts";

export interface ProcessOptions {
  readonly path: string;
  readonly arguments: readonly string[];
  /** All of it: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The descriptor of a file that the process has for its standard input. */
  readonly input?: number | undefined;
  /** The descriptor of a file that the process has as its descriptor 3. */
  readonly third?: number | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds between the signal that asks it to end and the one that ends it. */
  readonly grace: number;
  readonly clock: Clock;
}

export interface ProcessResult {
  /** undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  /** What ended it: "SIGKILL". */
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** More than helm prints of the largest release, its chart included. */
const maxBuffer = 512 * 1024 * 1024;

/**
 * Runs a program in a process group of its own. When the signal aborts, the group gets SIGINT, as by Ctrl-C, which helm
 * takes for the moment to write down that its operation has failed; after the grace SIGKILL.
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
    // Any descriptor will do; execa's types name the first ten.
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
  const forget = endWithUs(subprocess.pid);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    const result = await subprocess;
    // Neither an exit code nor a signal: there was no process.
    if (result.exitCode === undefined && result.signal === undefined) throw result;
    const { exitCode, signal: endedBy } = result;
    return { exitCode, signal: endedBy, stdout: String(result.stdout), stderr: String(result.stderr) };
  } finally {
    signal.removeEventListener("abort", onAbort);
    forget();
    if (timer !== undefined) clock.clearTimeout(timer);
  }
}
