import { type MatchOptions, matchOutput } from "../expect/match.ts";
import type { ConsoleBlock, Entry } from "../page/page.ts";
import { isWatch } from "../terminal/read-only.ts";
import { difference, withoutBlankEnd } from "./compare.ts";
import type { ConsoleContext } from "./console-context.ts";
import { PageFailure } from "./failure.ts";
import { nameOf, type PageTerminal, until } from "./page-terminal.ts";
import { createQuiet } from "./settled.ts";

/** Lines that come by themselves in a terminal, after what was last matched there. */
export async function awaitOutput(
  block: ConsoleBlock,
  entry: Entry,
  t: PageTerminal,
  context: ConsoleContext,
): Promise<void> {
  if (t.command === "") throw new PageFailure(entry.line, `nothing was started in ${nameOf(t)} yet`);
  const failure = await awaitLines(block, entry, t, context, outputDeadline(block, context));
  if (failure) throw failure;
}

/** Waits until what is expected stands after what was last matched; the difference when it does not come. */
export async function awaitLines(
  block: ConsoleBlock,
  entry: Entry,
  t: PageTerminal,
  context: ConsoleContext,
  deadline: number,
): Promise<PageFailure | undefined> {
  const expected = entry.expected.lines.map((line) => line.text);
  const options: MatchOptions = {
    samples: context.samples,
    unordered: block.options.unordered,
    orderedRows: isWatch(t.command),
    open: true,
  };
  const read = (): string[] => t.terminal.lines().slice(t.matched);
  const quiet = createQuiet(block, t, context);
  let result = matchOutput(expected, read(), options);
  await until(t, deadline, context.signal, () => {
    result = matchOutput(expected, read(), options);
    return result !== undefined || t.terminal.status() !== undefined || quiet();
  });
  result ??= matchOutput(expected, read(), options);
  if (result) {
    context.samples = result.samples;
    t.matched += result.consumed;
    return undefined;
  }
  const ended = t.terminal.status();
  const what =
    ended === undefined
      ? `${nameOf(t)} did not print this in time`
      : `\`${t.command}\` ended (exit status ${ended}) before it printed this`;
  const acceptable = ended === undefined ? options : undefined;
  return difference(entry, withoutBlankEnd(read()), context, what, t.command, acceptable);
}

export function outputDeadline(block: ConsoleBlock, context: ConsoleContext): number {
  return Date.now() + (block.options.timeoutMs ?? context.limits.output);
}
