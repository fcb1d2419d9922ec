import { diffOutput } from "../expect/difference.ts";
import { type MatchOptions, matchOutput } from "../expect/match.ts";
import type { Samples } from "../expect/samples.ts";
import type { ConsoleBlock, Entry } from "../page/page.ts";
import { isWatch } from "../terminal/read-only.ts";
import { PageFailure } from "./failure.ts";
import type { PageTerminal } from "./page-terminal.ts";
import type { Limits } from "./run-options.ts";

/** The input of the functions that run an entry of a console block. */
export interface EntryContext {
  readonly block: ConsoleBlock;
  readonly entry: Entry;
  readonly terminal: PageTerminal;
  /** The learner's values of the page's samples so far. */
  readonly samples: Samples;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly cleaningUp: boolean;
  /** The run accepts output that differs. */
  readonly accepts: boolean;
  /** Default: a command is repeated in its terminal. */
  readonly lookout?: Lookout | undefined;
}

/** Waits for the output of a command without typing it into a terminal that a person looks at. */
export interface Lookout {
  /** Called once, before the waiting begins. */
  begins(failure: PageFailure): void;
  /**
   * Runs a command that only reads, as the terminal's shell would, out of sight. Undefined: it does not know the
   * shell's state.
   */
  run(
    command: string,
    options: { readonly timeout: number; readonly signal: AbortSignal },
  ): Promise<{ readonly status: number; readonly output: string } | undefined>;
}

/** The outcome of an entry: the samples with those that its output added, or what differs. */
export type EntryResult = { readonly samples: Samples } | { readonly failure: PageFailure };

/**
 * Compares the output and the exit status of a command with what the page says.
 *
 * @param command the command as the shell ran it, for the report
 */
export function compare(
  { block, entry, samples }: Pick<EntryContext, "block" | "entry" | "samples">,
  output: readonly string[],
  status: number,
  command: string,
): EntryResult {
  const { expected } = entry;
  const lines = withoutBlankEnd(output);
  const failed = (message: string, acceptable?: MatchOptions): EntryResult => ({
    failure: difference(entry, lines, samples, message, command, acceptable),
  });
  const wanted = expected.exitStatus ?? 0;
  if (status !== wanted) return failed(`exit status ${status}, the page says ${wanted}`);
  const options: MatchOptions = {
    samples,
    unordered: block.options.unordered,
    orderedRows: isWatch(entry.text),
    open: false,
  };
  if (expected.noOutput && lines.length > 0)
    return failed("the command printed output, the page says (no output)", options);
  if (expected.lines.length === 0) return { samples };
  const result = matchOutput(
    expected.lines.map((line) => line.text),
    lines,
    options,
  );
  return result ? { samples: result.samples } : failed("the output is not what the page shows", options);
}

/** @param acceptable how the output was matched, if a run may accept it */
export function difference(
  entry: Entry,
  actual: readonly string[],
  samples: Samples,
  message: string,
  command: string,
  acceptable?: MatchOptions,
): PageFailure {
  const expected = entry.expected.lines;
  const found = diffOutput(
    expected.map((line) => line.text),
    actual,
    samples,
  );
  const line =
    found.firstMissing === undefined ? entry.line : (expected[found.firstMissing]?.line ?? entry.line);
  const seen = acceptable && { entry, lines: actual, options: acceptable };
  return new PageFailure(line, message, { diff: found.lines, command, seen });
}

export function withoutBlankEnd(lines: readonly string[]): string[] {
  const end = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(0, end + 1);
}
