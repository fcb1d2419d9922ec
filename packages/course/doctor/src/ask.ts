import { execa } from "execa";
import type { Machine } from "./machine.ts";

/** What a program said. */
export interface Answer {
  readonly stdout: string;
  /** The first line of what it complained about, or why it did not run. */
  readonly complaint: string;
  readonly outcome: "answered" | "failed" | "hung";
}

/**
 * Runs a program for what it says about itself, from the topmost folder (some look at the folder that they are in), without
 * input. After `patience` (milliseconds, default `machine.patience`) it is killed with all that it has started. Never throws.
 */
export async function ask(
  machine: Machine,
  path: string,
  args: readonly string[],
  patience = machine.patience,
): Promise<Answer> {
  const child = execa(path, args, {
    cwd: "/",
    // Nothing is downloaded for a question.
    env: { ...machine.env, COREPACK_ENABLE_NETWORK: "0", GOTOOLCHAIN: "local", LC_ALL: "C" },
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    // A process group of its own, so that what a wrapper has started ends with it.
    detached: true,
    maxBuffer: 1_000_000,
  });
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    kill(child.pid);
  }, patience);
  const { stdout, stderr, failed, originalMessage } = await child;
  clearTimeout(timer);
  const complaint = firstLine(stderr) || firstLine(originalMessage ?? "");
  if (hung) return { stdout, complaint: `no answer within ${patience / 1000} s`, outcome: "hung" };
  return { stdout, complaint, outcome: failed ? "failed" : "answered" };
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended.
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
