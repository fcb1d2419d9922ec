import { resolve } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { KindError } from "@operator-path/kind";
import { ToolNotFoundError } from "@operator-path/tools";
import { type Command, InvalidArgumentError } from "commander";

/**
 * Runs a command line. The first Ctrl+C or SIGTERM aborts the signal, so that the command can clean up. The
 * second one ends the process at once. A failure prints one message and exits with 1, an interrupt with 130.
 */
export async function runCommand(
  program: Command,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const leave = (): void => {
    for (const signal of signals) process.removeListener(signal, interrupt);
  };
  const interrupt = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      console.error(
        "stopped: to remove what may be left, run `pnpm kind-down` (with the same --name, if you gave one)",
      );
      leave();
      process.kill(process.pid, signal);
    } else {
      console.error("\ninterrupted: cleaning up");
      controller.abort();
    }
  };
  for (const signal of signals) process.on(signal, interrupt);
  try {
    await program
      .showHelpAfterError(false)
      .action(() => run(controller.signal))
      .parseAsync();
  } catch (error) {
    console.error(isExpected(error) ? `error: ${error.message}` : error);
    process.exitCode = controller.signal.aborted ? 130 : 1;
  } finally {
    leave();
  }
}

function isExpected(error: unknown): error is Error {
  return error instanceof KindError || error instanceof UserError || error instanceof ToolNotFoundError;
}

/** Resolves a path of the command line: pnpm runs scripts in the root, and INIT_CWD is the user's folder. */
export function fromHere(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

export function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 1 to 65535.");
}

export function pageOf(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("A page is a number from 1.");
}

/** Returns the properties that are not undefined. */
export function given<T extends object>(flags: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as never;
}
