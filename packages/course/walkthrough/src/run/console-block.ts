import { NotRevisableError } from "../expect/revise.ts";
import type { ConsoleBlock, Entry } from "../page/page.ts";
import { awaitOutput } from "./await-output.ts";
import type { ConsoleContext } from "./console-context.ts";
import { PageFailure } from "./failure.ts";
import type { PageTerminal } from "./page-terminal.ts";
import { runCommand } from "./run-command.ts";
import { endForeground, typeLine } from "./type-line.ts";

/** Runs one console block. Throws PageFailure; in Clean up, which goes on after one, AggregateError of several. */
export async function runConsoleBlock(block: ConsoleBlock, context: ConsoleContext): Promise<void> {
  const terminal = await context.terminal(block);
  const lastCommand = block.entries.findLastIndex((entry) => entry.kind === "command");
  const failures: unknown[] = [];
  for (const [i, entry] of block.entries.entries()) {
    try {
      context.signal.throwIfAborted();
      const leaveRunning = block.options.running && i === lastCommand;
      await runEntry(block, entry, terminal, context, leaveRunning).catch(accepting(terminal, context));
    } catch (error) {
      // Clean up goes on: what it would still remove is there whether or not this worked.
      if (!context.cleaningUp) throw error;
      failures.push(error);
      if (!(error instanceof PageFailure)) break;
    }
  }
  if (failures.length > 1) throw new AggregateError(failures);
  if (failures.length === 1) throw failures[0];
}

/** What was seen is accepted, where that is asked for; any other failure goes on as it is. */
function accepting(t: PageTerminal, context: ConsoleContext): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof PageFailure) || !error.seen || !context.acceptance) throw error;
    try {
      const { samples, consumed } = context.acceptance.accept(error.seen);
      context.samples = samples;
      if (error.seen.options.open) t.matched += consumed;
    } catch (reason) {
      if (!(reason instanceof NotRevisableError)) throw reason;
      const { line, message, diff, command } = error;
      throw new PageFailure(line, `${message}; not accepted: ${reason.message}`, {
        diff,
        ...(command !== undefined && { command }),
      });
    }
  };
}

async function runEntry(
  block: ConsoleBlock,
  entry: Entry,
  terminal: PageTerminal,
  context: ConsoleContext,
  leaveRunning: boolean,
): Promise<void> {
  if (entry.kind === "command") {
    context.doing(entry.text, entry.line);
    await runCommand(block, entry, terminal, context, leaveRunning);
  } else if (entry.kind === "output") {
    await awaitOutput(block, entry, terminal, context);
  } else if (entry.kind === "typed") {
    context.doing(`${block.options.prompt ?? ""}${entry.text}`, entry.line);
    await typeLine(block, entry, terminal, context);
  } else {
    context.doing(entry.kind === "interrupt" ? "^C" : "^D", entry.line);
    await endForeground(block, entry, terminal, context);
  }
}
