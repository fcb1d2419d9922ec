import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { explain } from "./errors/explain.ts";
import { aborted, KindError } from "./errors/kind-error.ts";
import type { Prepared } from "./prepare.ts";

export interface RunWords {
  /** What failed, for the error: `cluster dev was not created`. */
  readonly what: string;
  readonly cluster?: string;
  readonly signal?: AbortSignal | undefined;
  readonly input?: string | Uint8Array;
  readonly onLine?: (line: string) => void;
}

/** Runs kind, and returns its output. Throws a KindError that explains the output, or `aborted`. */
export async function runKind(
  prepared: Prepared,
  args: readonly string[],
  options: RunWords,
): Promise<RunResult> {
  return orThrow(await runProgram(prepared.kind, args, { ...options, env: prepared.env }), prepared, options);
}

/** Does the same for the engine's own commands. */
export async function runEngine(
  prepared: Omit<Prepared, "kind">,
  args: readonly string[],
  options: RunWords,
): Promise<RunResult> {
  return orThrow(
    await runProgram(prepared.engine.path, args, { ...options, env: prepared.env }),
    prepared,
    options,
  );
}

/** Returns a command's result. Throws an explanation if the command failed. */
export function orThrow(
  result: RunResult,
  { engine, env }: Omit<Prepared, "kind">,
  options: RunWords,
): RunResult {
  if (options.signal?.aborted) throw aborted(options.what);
  if (!result.failed) return result;
  const output = `${result.stderr}\n${result.stdout}`.trim();
  const context = {
    engine: engine.name,
    env,
    ...(options.cluster !== undefined && { cluster: options.cluster }),
  };
  throw new KindError({
    ...explain(output, context),
    what: options.what,
    command: result.command,
    output: output.split("\n").slice(-20).join("\n"),
  });
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Standard input. Default: none. */
  readonly input?: string | Uint8Array;
  readonly signal?: AbortSignal | undefined;
  /** Receives each line of standard error as it arrives. */
  readonly onLine?: (line: string) => void;
  /** Milliseconds. Default: none. */
  readonly timeout?: number;
}

interface RunResult {
  readonly failed: boolean;
  /** Whether it was ended because of its timeout. */
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Program and arguments, for messages: `kind get nodes`. */
  readonly command: string;
}

/** How long a program may take to end after SIGTERM, in milliseconds. */
const grace = 5_000;

/**
 * Runs a program and its children as one process group: kind's children are engine commands, which would
 * continue to create containers after kind has ended. After an abort, the whole group has ended when this
 * returns. Ctrl+C reaches the group only through the signal. Does not throw if the program fails.
 */
export async function runProgram(
  path: string,
  args: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const command = [path.split("/").at(-1) ?? path, ...args].join(" ");
  if (options.signal?.aborted) return { failed: true, timedOut: false, stdout: "", stderr: "", command };
  const child = execa(path, args, {
    env: options.env,
    extendEnv: false,
    reject: false,
    detached: true,
    cleanup: false,
    ...(options.input === undefined ? { stdin: "ignore" as const } : { input: options.input }),
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined) killGroup(child.pid, signal);
  };
  const killAtExit = (): void => kill("SIGKILL");
  process.once("exit", killAtExit);
  const end = (): void => {
    kill("SIGTERM");
    const timer = setTimeout(() => kill("SIGKILL"), grace);
    void child.finally(() => clearTimeout(timer));
  };
  options.signal?.addEventListener("abort", end, { once: true });
  let timedOut = false;
  const expire = (): void => {
    timedOut = true;
    end();
  };
  const limit = options.timeout === undefined ? undefined : setTimeout(expire, options.timeout);
  try {
    const { onLine } = options;
    if (onLine) for await (const line of child.iterable({ from: "stderr" })) onLine(line);
    const result = await child;
    if (options.signal?.aborted && child.pid !== undefined) await waitForGroup(child.pid);
    const words =
      result.stderr || (result.failed && result.exitCode === undefined ? result.originalMessage : "");
    return { failed: result.failed, timedOut, stdout: result.stdout, stderr: words ?? "", command };
  } finally {
    clearTimeout(limit);
    options.signal?.removeEventListener("abort", end);
    process.removeListener("exit", killAtExit);
  }
}

/**
 * Waits for the group, and kills what ignores SIGTERM. Zombies without a parent that collects them are not
 * waited for.
 */
async function waitForGroup(group: number): Promise<void> {
  for (let waited = 0; killGroup(group, 0) && waited < 2 * grace; waited += 50) {
    if (waited >= grace) killGroup(group, "SIGKILL");
    await sleep(50);
  }
}

/** Returns whether the group still has a process. */
function killGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
