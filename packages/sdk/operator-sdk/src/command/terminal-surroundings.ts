import { findCheckout } from "../workspace/find-checkout.ts";
import type { Prompts, Surroundings } from "./surroundings.ts";

/**
 * The surroundings of a command that a person has started: this process's folder, streams and terminal.
 *
 * @returns undefined, after a line on stderr, when the current folder was removed
 */
export async function terminalSurroundings(): Promise<Surroundings | undefined> {
  // A reader such as `head` may close the pipe early. What is written is written.
  process.stdout.on("error", () => {});
  const checkout = findCheckout();
  const prompts = await promptsOfTerminal();
  const cwd = currentFolder();
  if (cwd === undefined) {
    process.stderr.write("Error: the current folder is not there any more: change to one that is\n");
    return undefined;
  }
  return {
    cwd,
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    ...(prompts && { prompts }),
    ...(checkout !== undefined && { checkout }),
  };
}

/** Loaded only on a terminal. */
async function promptsOfTerminal(): Promise<Prompts | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  return (await import("./terminal-prompts.ts")).terminalPrompts;
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
