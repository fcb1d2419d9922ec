import { matchOutput } from "../expect/match.ts";
import { noSamples } from "../expect/samples.ts";
import type { ConsoleBlock } from "../page/page.ts";
import type { ConsoleContext } from "./console-context.ts";
import type { PageFailure } from "./failure.ts";
import type { PageTerminal } from "./page-terminal.ts";

/**
 * For runs that accept differences: whether to stop repeating a command, because its output has stayed the same for a
 * while. Values that change by themselves (an age) do not count. A block with a `timeout=` of its own is repeated until
 * then, and so is every block of a run that accepts nothing.
 */
export function createSettling(
  block: ConsoleBlock,
  { acceptance, limits }: ConsoleContext,
): (failure: PageFailure) => boolean {
  let first: readonly string[] = [];
  let since = Number.POSITIVE_INFINITY;
  return ({ seen }) => {
    if (!acceptance || !seen || block.options.timeoutMs !== undefined) return false;
    const same = matchOutput(first, seen.lines, { samples: noSamples, unordered: block.options.unordered });
    if (since === Number.POSITIVE_INFINITY || !same) {
      first = seen.lines;
      since = Date.now();
    }
    return Date.now() - since >= limits.settled;
  };
}

/** The same for a process that goes on: whether it has printed nothing for a while. */
export function createQuiet(
  block: ConsoleBlock,
  t: PageTerminal,
  { acceptance, limits }: ConsoleContext,
): () => boolean {
  let printed = "";
  let since = Date.now();
  return () => {
    if (!acceptance || block.options.timeoutMs !== undefined) return false;
    const now = t.terminal.lines().join("\n");
    if (now !== printed) since = Date.now();
    printed = now;
    return Date.now() - since >= limits.settled;
  };
}
