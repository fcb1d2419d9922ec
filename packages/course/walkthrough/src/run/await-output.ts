import { type MatchOptions, matchOutput } from "../expect/match.ts";
import { isWatch } from "../terminal/read-only.ts";
import { createQuiet } from "./acceptance.ts";
import { difference, type EntryContext, type EntryResult, withoutBlankEnd } from "./compare.ts";
import { PageFailure } from "./failure.ts";
import { nameOf, until } from "./page-terminal.ts";

/** Waits for output that comes by itself, after the lines that were matched last in the terminal. */
export async function awaitOutput(context: EntryContext): Promise<EntryResult> {
  const { entry, terminal } = context;
  if (terminal.command === "")
    return { failure: new PageFailure(entry.line, `no command has started in ${nameOf(terminal)} yet`) };
  return awaitLines(context, outputDeadline(context));
}

/** Waits for the expected lines until a deadline, in milliseconds since the epoch. */
export async function awaitLines(context: EntryContext, deadline: number): Promise<EntryResult> {
  const { block, entry, terminal: t, samples } = context;
  const expected = entry.expected.lines.map((line) => line.text);
  const options: MatchOptions = {
    samples,
    unordered: block.options.unordered,
    orderedRows: isWatch(t.command),
    open: true,
  };
  const read = (): string[] => t.terminal.lines().slice(t.matched);
  const quiet = createQuiet(context);
  let result = matchOutput(expected, read(), options);
  await until(t, deadline, context.signal, () => {
    result = matchOutput(expected, read(), options);
    return result !== undefined || t.terminal.status() !== undefined || quiet();
  });
  result ??= matchOutput(expected, read(), options);
  if (result) {
    t.matched += result.consumed;
    return { samples: result.samples };
  }
  const ended = t.terminal.status();
  const what =
    ended === undefined
      ? `${nameOf(t)} did not print this in time`
      : `\`${t.command}\` ended (exit status ${ended}) before it printed this`;
  const acceptable = ended === undefined ? options : undefined;
  return { failure: difference(entry, withoutBlankEnd(read()), samples, what, t.command, acceptable) };
}

/** Returns the deadline for output that a running process must print, in milliseconds since the epoch. */
export function outputDeadline({ block, limits }: EntryContext): number {
  return Date.now() + (block.options.timeoutMs ?? limits.output);
}
