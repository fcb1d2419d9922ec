import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setImmediate } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import type { Clock } from "../clock.ts";

export interface PluginRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** It has this process's own stdin and stderr, to ask a person. */
  readonly interactive: boolean;
  /** Where its stderr goes as it comes, unless it is interactive. */
  readonly stderr: Pick<Writable, "write">;
  readonly clock: Clock;
  /** Ends it: SIGTERM, and SIGKILL when it is still there after `grace`. */
  readonly signal: AbortSignal;
}

export interface PluginEnd {
  /** Undefined when it has printed more than 1 MiB, upon which it was ended. */
  readonly stdout: string | undefined;
  /** The end of what it has said, at most `tail` characters, without escape sequences. Empty for an interactive one. */
  readonly stderr: string;
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
}

const tail = 1_000;
const grace = 5_000;

/** In bytes. What is asked for is a token, or a certificate with its key. */
const longestAnswer = 2 ** 20;

/**
 * Runs a program to its end, and that of its stdout; its stderr may be held by those that it has started. What it has begun is over when this settles: it is there no longer.
 *
 * @throws the error of the system that says why it cannot be started (ENOENT, EACCES); the signal's reason when that aborts
 */
export async function runPlugin(run: PluginRun): Promise<PluginEnd> {
  const { command, args, env, interactive, stderr, clock, signal } = run;
  signal.throwIfAborted();
  const person = interactive ? "inherit" : "ignore";
  const child = spawn(command, args, {
    env,
    stdio: [person, "pipe", interactive ? "inherit" : "pipe"],
    windowsHide: true,
  });
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout?.on("data", (bytes: Buffer) => {
    length += bytes.length;
    if (length <= longestAnswer) chunks.push(bytes);
    else stop();
  });
  let said = "";
  const decoder = new StringDecoder("utf8");
  child.stderr?.on("data", (bytes: Buffer) => {
    stderr.write(bytes);
    // What is kept may begin within an escape sequence: more is kept than is shown.
    said = (said + decoder.write(bytes)).slice(-2 * tail);
  });
  let isStopped = false;
  let killing: unknown;
  function stop(): void {
    if (isStopped) return;
    isStopped = true;
    if (child.kill()) killing = clock.setTimeout(() => child.kill("SIGKILL"), grace);
    // Those that it has started may hold it open.
    child.stdout?.destroy();
  }
  const ended = Promise.withResolvers<Pick<PluginEnd, "code" | "killedBy">>();
  child.on("error", (error) => {
    // One that runs as somebody else may not be ours to kill.
    if (isStopped) ended.resolve({ code: null, killedBy: null });
    else ended.reject(error);
  });
  child.on("exit", (code, killedBy) => ended.resolve({ code, killedBy }));
  const answered = child.stdout && once(child.stdout, "close");
  signal.addEventListener("abort", stop, { once: true });
  try {
    const end = await ended.promise;
    await answered;
    signal.throwIfAborted();
    // What it has said itself lies in the pipe, though not always read yet: the signal of another program's end tells of all
    // that have ended by then. Between these the loop reads it.
    await setImmediate();
    await setImmediate();
    const stdout = length > longestAnswer ? undefined : Buffer.concat(chunks).toString("utf8");
    return { ...end, stdout, stderr: endOf(said) };
  } finally {
    signal.removeEventListener("abort", stop);
    if (killing !== undefined) clock.clearTimeout(killing);
    // A browser that it has started may have it for long. It is read on, since writing to one that is closed would end that.
    (child.stderr as Socket | null)?.unref();
  }
}

function endOf(said: string): string {
  return stripVTControlCharacters(said).trim().slice(-tail);
}
