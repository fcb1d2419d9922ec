import { execa } from "execa";
import type { Machine } from "./machine.ts";

/** The answer of a program. */
export interface Answer {
  readonly stdout: string;
  /** The first line of stderr, or why the program did not run. */
  readonly complaint: string;
  readonly outcome: "answered" | "failed" | "hung";
}

/**
 * Runs a program to read its output, without input, in the root folder, because some programs read the
 * current one. Kills it and its children after `patience` milliseconds (default `machine.patience`). Never
 * throws.
 */
export async function ask(
  machine: Machine,
  path: string,
  args: readonly string[],
  patience = machine.patience,
): Promise<Answer> {
  const child = execa(path, args, {
    cwd: "/",
    // A question must not download anything.
    env: { ...machine.env, COREPACK_ENABLE_NETWORK: "0", GOTOOLCHAIN: "local", LC_ALL: "C" },
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    // Its own process group, so that the children of a wrapper end with it.
    detached: true,
    maxBuffer: 1_000_000,
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    kill(child.pid);
  }, patience);
  const { stdout, stderr, failed, originalMessage } = await child;
  clearTimeout(timer);
  const complaint = firstLine(stderr) || firstLine(originalMessage ?? "");
  if (timedOut) return { stdout, complaint: `no answer within ${patience / 1000} s`, outcome: "hung" };
  return { stdout, complaint, outcome: failed ? "failed" : "answered" };
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process has just ended.
  }
}

function firstLine(text: string): string {
  return (
    text
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? ""
  );
}
