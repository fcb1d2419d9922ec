import { runOperatorSdk } from "./command/program.ts";
import type { Prompts } from "./command/surroundings.ts";
import { findCheckout } from "./workspace/find-checkout.ts";

/** Loaded only when there is somebody to ask. */
async function promptsOfTerminal(): Promise<Prompts | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  return (await import("./command/terminal-prompts.ts")).terminalPrompts;
}

/** @returns undefined when the folder that this was started in has been removed */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

// Who has read enough closes the pipe (operator-sdk create api … | head): what is written is written.
process.stdout.on("error", () => {});
const checkout = findCheckout();
const prompts = await promptsOfTerminal();
const cwd = currentFolder();
if (cwd === undefined) {
  process.stderr.write("Error: the current folder is not there any more: change to one that is\n");
  process.exit(1);
}
process.exitCode = await runOperatorSdk(process.argv.slice(2), {
  cwd,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  ...(prompts && { prompts }),
  ...(checkout !== undefined && { checkout }),
});
