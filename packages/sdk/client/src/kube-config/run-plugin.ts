import { spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
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
  readonly stdout: string;
  /** The end of what it has said, at most `tail` characters, without escape sequences. Empty for an interactive one. */
  readonly stderr: string;
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
}

const tail = 1_000;
const grace = 5_000;

/**
 * Runs a program to its end.
 *
 * @throws the error of the system that says why it cannot be started (ENOENT, EACCES); the signal's reason when that aborts
 */
export function runPlugin(run: PluginRun): Promise<PluginEnd> {
  const { command, args, env, interactive, stderr, clock, signal } = run;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const person = interactive ? "inherit" : "ignore";
    const child = spawn(command, args, {
      env,
      stdio: [person, "pipe", interactive ? "inherit" : "pipe"],
      windowsHide: true,
    });
    let answer = "";
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    const decoder = new StringDecoder("utf8");
    child.stderr?.on("data", (bytes: Buffer) => {
      stderr.write(bytes);
      // What is kept may begin within an escape sequence: more is kept than is shown.
      said = (said + decoder.write(bytes)).slice(-2 * tail);
    });
    let killing: unknown;
    const onAbort = () => {
      const isThere = child.exitCode === null && child.signalCode === null;
      if (isThere && child.kill()) killing = clock.setTimeout(() => child.kill("SIGKILL"), grace);
      // Those that it has started may hold these open.
      child.stdout?.destroy();
      child.stderr?.destroy();
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    child.on("error", (error) => {
      signal.removeEventListener("abort", onAbort);
      reject(error);
    });
    child.on("exit", () => {
      if (killing !== undefined) clock.clearTimeout(killing);
    });
    child.on("close", (code, killedBy) => {
      signal.removeEventListener("abort", onAbort);
      resolve({ stdout: answer, stderr: endOf(said), code, killedBy });
    });
  });
}

function endOf(said: string): string {
  return stripVTControlCharacters(said).trim().slice(-tail);
}
