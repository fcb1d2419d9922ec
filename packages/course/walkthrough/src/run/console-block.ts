import { NotRevisableError } from "../expect/revise.ts";
import type { ConsoleBlock } from "../page/page.ts";
import type { Acceptance } from "./acceptance.ts";
import { awaitOutput } from "./await-output.ts";
import { type EntryContext, type EntryResult, withoutBlankEnd } from "./compare.ts";
import { PageFailure } from "./failure.ts";
import { type PageTerminal, terminalFor } from "./page-terminal.ts";
import type { Run } from "./prepare-run.ts";
import { runCommand } from "./run-command.ts";
import { endForeground, typeLine } from "./type-line.ts";

/**
 * Runs the entries of a console block in order, in the block's terminal. Throws PageFailure for the first
 * that differs. Clean up goes on after a failure, and throws AggregateError for several.
 */
export async function runConsoleBlock(
  block: ConsoleBlock,
  run: Run,
  { cleaningUp, signal }: { readonly cleaningUp: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { acceptance, limits } = run;
  const limit = block.options.timeoutMs ?? limits.command;
  const terminal = await terminalFor(block, run, { cleaningUp, limit, signal });
  const lastCommand = block.entries.findLastIndex((entry) => entry.kind === "command");
  const failures: unknown[] = [];
  for (const [i, entry] of block.entries.entries()) {
    const { samples } = run;
    const accepts = acceptance !== undefined;
    const context = { block, entry, terminal, samples, limits, signal, cleaningUp, accepts };
    try {
      signal.throwIfAborted();
      announce(context, run);
      const before = entry.kind === "command" ? 0 : terminal.matched;
      const seen = await runEntry(context, block.options.running && i === lastCommand);
      const result = "failure" in seen ? accept(seen.failure, terminal, acceptance) : seen;
      if ("failure" in result) throw result.failure;
      run.samples = result.samples;
      run.options.reporter?.showed?.(shownLines(context, before));
    } catch (error) {
      // Clean up goes on: its later entries remove more, whether or not this one worked.
      if (!cleaningUp) throw error;
      failures.push(error);
      if (!(error instanceof PageFailure)) break;
    }
  }
  if (failures.length > 1) throw new AggregateError(failures);
  if (failures.length === 1) throw failures[0];
}

function announce({ block, entry }: EntryContext, { options }: Run): void {
  const what = {
    command: entry.text,
    typed: `${block.options.prompt ?? ""}${entry.text}`,
    interrupt: "^C",
    "end-of-input": "^D",
    output: undefined,
  }[entry.kind];
  if (what !== undefined) options.reporter?.doing?.(what, entry.line, block);
}

/** Returns the output of an entry: what is accounted for since `before`, or everything after a key. */
function shownLines({ entry, terminal: t }: EntryContext, before: number): string[] {
  const ended = entry.kind === "interrupt" || entry.kind === "end-of-input";
  const lines = t.terminal.lines().slice(before, ended ? undefined : t.matched);
  // The first line after a typed one is its echo.
  const own = entry.kind === "typed" ? lines.slice(1) : lines;
  return withoutBlankEnd(own.filter((line) => line !== "^C"));
}

/**
 * Runs one entry in its terminal, and compares what it prints.
 *
 * @param leaveRunning for a command: wait only for the expected lines, and leave it running
 */
export async function runEntry(context: EntryContext, leaveRunning: boolean): Promise<EntryResult> {
  switch (context.entry.kind) {
    case "command":
      return runCommand(context, leaveRunning);
    case "output":
      return awaitOutput(context);
    case "typed":
      return typeLine(context);
    case "interrupt":
    case "end-of-input":
      return endForeground(context);
  }
}

/** With `accept`, makes output that differs the page's new expected output. */
function accept(failure: PageFailure, t: PageTerminal, acceptance: Acceptance | undefined): EntryResult {
  const { seen, line, message, diff, command } = failure;
  if (!seen || !acceptance) return { failure };
  try {
    const { samples, consumed } = acceptance.accept(seen);
    if (seen.options.open) t.matched += consumed;
    return { samples };
  } catch (reason) {
    if (!(reason instanceof NotRevisableError)) throw reason;
    return {
      failure: new PageFailure(line, `${message}; not accepted: ${reason.message}`, {
        diff,
        ...(command !== undefined && { command }),
      }),
    };
  }
}
