import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { explain } from "./errors/explain.ts";
import { aborted, KindError } from "./errors/kind-error.ts";
import type { Prepared } from "./prepare.ts";

export interface RunWords {
  /** What came to nothing when it fails: `cluster dev was not created`. */
  readonly what: string;
  readonly cluster?: string;
  readonly signal?: AbortSignal | undefined;
  readonly input?: string | Uint8Array;
  readonly onLine?: (line: string) => void;
}

/** Runs kind, and gives what it wrote. Throws KindError: what its words mean, or `aborted`. */
export async function runKind(prepared: Prepared, args: readonly string[], o: RunWords): Promise<RunResult> {
  return orThrow(await runProgram(prepared.kind, args, { ...o, env: prepared.env }), prepared, o);
}

/** The same for the engine's own commands. */
export async function runEngine(
  prepared: Omit<Prepared, "kind">,
  args: readonly string[],
  o: RunWords,
): Promise<RunResult> {
  return orThrow(await runProgram(prepared.engine.path, args, { ...o, env: prepared.env }), prepared, o);
}

/** What a command has said, unless it has failed: then it throws what its words mean. */
export function orThrow(result: RunResult, { engine, env }: Omit<Prepared, "kind">, o: RunWords): RunResult {
  if (o.signal?.aborted) throw aborted(o.what);
  if (!result.failed) return result;
  const output = `${result.stderr}\n${result.stdout}`.trim();
  const context = { engine: engine.name, env, ...(o.cluster !== undefined && { cluster: o.cluster }) };
  throw new KindError({
    ...explain(output, context),
    what: o.what,
    command: result.command,
    output: output.split("\n").slice(-20).join("\n"),
  });
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Standard input. Default: none. */
  readonly input?: string | Uint8Array;
  readonly signal?: AbortSignal | undefined;
  /** Told each line of standard error as it comes. */
  readonly onLine?: (line: string) => void;
  /** Milliseconds. Default: none. */
  readonly timeout?: number;
}

interface RunResult {
  readonly failed: boolean;
  /** Whether it was ended for its time. */
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** `kind get nodes`: program and arguments, for messages. */
  readonly command: string;
}

/** Milliseconds that a program gets to end by itself. */
const grace = 5_000;

/**
 * Runs a program with all that it starts as one process group: kind's own children are engine commands, which would go on
 * making containers after kind is gone. Aborted, the whole group has ended when this returns. The group is not the
 * terminal's: Ctrl+C reaches it through the signal alone. Never throws for a program that fails.
 */
export async function runProgram(path: string, args: readonly string[], o: RunOptions): Promise<RunResult> {
  const command = [path.split("/").at(-1) ?? path, ...args].join(" ");
  if (o.signal?.aborted) return { failed: true, timedOut: false, stdout: "", stderr: "", command };
  const child = execa(path, args, {
    env: o.env,
    extendEnv: false,
    reject: false,
    detached: true,
    cleanup: false,
    ...(o.input === undefined ? { stdin: "ignore" as const } : { input: o.input }),
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
  o.signal?.addEventListener("abort", end, { once: true });
  let timedOut = false;
  const expire = (): void => {
    timedOut = true;
    end();
  };
  const limit = o.timeout === undefined ? undefined : setTimeout(expire, o.timeout);
  try {
    const { onLine } = o;
    if (onLine) for await (const line of child.iterable({ from: "stderr" })) onLine(line);
    const result = await child;
    if (o.signal?.aborted && child.pid !== undefined) await untilGone(child.pid);
    const words =
      result.stderr || (result.failed && result.exitCode === undefined ? result.originalMessage : "");
    return { failed: result.failed, timedOut, stdout: result.stdout, stderr: words ?? "", command };
  } finally {
    clearTimeout(limit);
    o.signal?.removeEventListener("abort", end);
    process.removeListener("exit", killAtExit);
  }
}

/** What has ignored SIGTERM for its time is killed. The dead whom nobody has buried are not waited for. */
async function untilGone(group: number): Promise<void> {
  for (let waited = 0; killGroup(group, 0) && waited < 2 * grace; waited += 50) {
    if (waited >= grace) killGroup(group, "SIGKILL");
    await sleep(50);
  }
}

/** Whether there was somebody to send it to. */
function killGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
