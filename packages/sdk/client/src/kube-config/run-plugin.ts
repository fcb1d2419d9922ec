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
  /** Whether it inherits this process's stdin and stderr, to prompt the user. */
  readonly interactive: boolean;
  /** Receives its stderr as it arrives, unless it is interactive. */
  readonly stderr: Pick<Writable, "write">;
  readonly clock: Clock;
  /** Stops it with SIGTERM, and with SIGKILL if it still runs after `killDelay`. */
  readonly signal: AbortSignal;
}

export interface PluginEnd {
  /** Undefined if it was stopped because it printed more than 1 MiB. */
  readonly stdout: string | undefined;
  /** The last `maxStderr` characters of its stderr, without escape sequences. Empty if it is interactive. */
  readonly stderr: string;
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
}

const maxStderr = 1_000;
const killDelay = 5_000;

/** The maximum size of its output in bytes. A token, or a certificate with its key, is much smaller. */
const maxAnswerBytes = 2 ** 20;

/**
 * Runs a program until it has exited and its stdout is closed. It does not wait for stderr, because a child
 * of the program may keep that open. When the promise settles, the program no longer runs.
 *
 * @throws the system's error if it cannot be started (ENOENT, EACCES); the signal's reason if the signal
 *   aborts
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
    if (length <= maxAnswerBytes) chunks.push(bytes);
    else stop();
  });
  let errorOutput = "";
  const decoder = new StringDecoder("utf8");
  child.stderr?.on("data", (bytes: Buffer) => {
    stderr.write(bytes);
    // The cut may fall within an escape sequence, so keep more than is shown.
    errorOutput = (errorOutput + decoder.write(bytes)).slice(-2 * maxStderr);
  });
  let isStopped = false;
  let killing: unknown;
  function stop(): void {
    if (isStopped) return;
    isStopped = true;
    if (child.kill()) killing = clock.setTimeout(() => child.kill("SIGKILL"), killDelay);
    // Its children may keep the pipe open.
    child.stdout?.destroy();
  }
  const ended = Promise.withResolvers<Pick<PluginEnd, "code" | "killedBy">>();
  child.on("error", (error) => {
    // We may lack the permission to kill a program that runs as another user.
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
    // Its last output may still be unread in the pipe, because one SIGCHLD may report several exits. The
    // event loop reads it between these two steps.
    await setImmediate();
    await setImmediate();
    const stdout = length > maxAnswerBytes ? undefined : Buffer.concat(chunks).toString("utf8");
    return { ...end, stdout, stderr: endOf(errorOutput) };
  } finally {
    signal.removeEventListener("abort", stop);
    if (killing !== undefined) clock.clearTimeout(killing);
    // A browser that it started may keep the pipe for long. Closing it would kill the browser at its next
    // write, so keep reading, but do not keep this process alive.
    (child.stderr as Socket | null)?.unref();
  }
}

function endOf(errorOutput: string): string {
  return stripVTControlCharacters(errorOutput).trim().slice(-maxStderr);
}
