import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { dirname } from "node:path";

export interface ProgramOptions {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the program is killed. Default: never. */
  readonly timeout?: number;
}

export interface ProgramResult {
  /** Exit status. Undefined if the program was killed after `timeout`. */
  readonly status: number | undefined;
  /** What the program wrote to stdout and stderr, in order. */
  readonly output: string;
}

/** Runs a program without a terminal, in its own process group. Rejects if it does not start, or on abort. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  options.signal?.throwIfAborted();
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    // A process group, so that a kill also ends the program's children.
    detached: true,
  });
  let ended = false;
  let late = false;
  const end = (): void => {
    if (!ended && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const timer =
    options.timeout === undefined
      ? undefined
      : setTimeout(() => {
          late = true;
          end();
        }, options.timeout);
  options.signal?.addEventListener("abort", end, { once: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  try {
    const [status] = (await once(child, "close")) as [number | null];
    options.signal?.throwIfAborted();
    return { status: late ? undefined : (status ?? 1), output };
  } finally {
    ended = true;
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", end);
  }
}

/** Runs a script in a bash that reads no startup files, as `runProgram` does. */
export function runBash(script: string, options: ProgramOptions): Promise<ProgramResult> {
  return runProgram("bash", ["--noprofile", "--norc", "-c", script], options);
}

/**
 * Removes a run's folder. A project's node_modules has some fifteen thousand links: `rm` removes them while
 * this thread serves the other pages. If a process still writes to the folder, the removal is tried again.
 */
export async function removeFolder(folder: string): Promise<void> {
  await runProgram("rm", ["-rf", "--", folder], { cwd: dirname(folder), env: process.env }).catch(() => {});
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
