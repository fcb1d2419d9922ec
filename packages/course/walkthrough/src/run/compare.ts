import { diffOutput } from "../expect/difference.ts";
import { type MatchOptions, matchOutput } from "../expect/match.ts";
import type { ConsoleBlock, Entry } from "../page/page.ts";
import { isWatch } from "../terminal/read-only.ts";
import type { ConsoleContext } from "./console-context.ts";
import { PageFailure } from "./failure.ts";

export function compare(
  block: ConsoleBlock,
  entry: Entry,
  output: readonly string[],
  status: number,
  context: ConsoleContext,
  o: { open: boolean },
  command: string,
): PageFailure | undefined {
  const { expected } = entry;
  const lines = withoutBlankEnd(output);
  const wanted = expected.exitStatus ?? 0;
  if (status !== wanted)
    return difference(entry, lines, context, `exit status ${status}, the page says ${wanted}`, command);
  const options: MatchOptions = {
    samples: context.samples,
    unordered: block.options.unordered,
    orderedRows: isWatch(entry.text),
    open: o.open,
  };
  if (expected.noOutput && lines.length > 0)
    return difference(
      entry,
      lines,
      context,
      "there is output, the page says there is none",
      command,
      options,
    );
  if (expected.lines.length === 0) return undefined;
  const result = matchOutput(
    expected.lines.map((line) => line.text),
    lines,
    options,
  );
  if (!result)
    return difference(entry, lines, context, "the output is not what the page shows", command, options);
  context.samples = result.samples;
  return undefined;
}

/** @param options where what was seen could be accepted: how it was matched */
export function difference(
  entry: Entry,
  actual: readonly string[],
  context: ConsoleContext,
  message: string,
  command: string,
  options?: MatchOptions,
): PageFailure {
  const expected = entry.expected.lines;
  const found = diffOutput(
    expected.map((line) => line.text),
    actual,
    context.samples,
  );
  const line =
    found.firstMissing === undefined ? entry.line : (expected[found.firstMissing]?.line ?? entry.line);
  const seen = options && { entry, lines: actual, options };
  return new PageFailure(line, message, { diff: found.lines, command, seen });
}

export function withoutBlankEnd(lines: readonly string[]): string[] {
  const end = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(0, end + 1);
}
