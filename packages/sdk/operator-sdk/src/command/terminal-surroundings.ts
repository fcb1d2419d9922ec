import { findCheckout } from "../workspace/find-checkout.ts";
import type { Prompts, Surroundings } from "./surroundings.ts";

/**
 * Returns the surroundings of a command on a terminal: this process's folder, streams and prompts.
 *
 * @returns undefined, after a line on stderr, if the current folder no longer exists
 */
export async function terminalSurroundings(): Promise<Surroundings | undefined> {
  // A reader such as `head` may close the pipe early. That is not an error: the files are already written.
  process.stdout.on("error", () => {});
  const checkout = findCheckout();
  const prompts = await promptsOfTerminal();
  const cwd = currentFolder();
  if (cwd === undefined) {
    process.stderr.write("Error: the current folder no longer exists: change to another one\n");
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

/** Returns the prompts, or undefined without a terminal. Loads their module only on a terminal. */
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
