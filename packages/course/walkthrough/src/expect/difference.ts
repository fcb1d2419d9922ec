import { diffArrays } from "diff";
import type { DiffLine } from "../report/report.ts";
import { isEllipsis, matchLine } from "./match.ts";
import type { Samples } from "./samples.ts";

export interface OutputDifference {
  readonly lines: readonly DiffLine[];
  /** Index of the first expected line that is missing. Undefined if there is only too much output. */
  readonly firstMissing?: number;
}

/**
 * Returns a diff that knows wildcards and samples. Lines that match are common, and shown as they were
 * printed.
 */
export function diffOutput(
  expected: readonly string[],
  actual: readonly string[],
  samples: Samples,
): OutputDifference {
  const lines: DiffLine[] = [];
  let firstMissing: number | undefined;
  let at = 0;
  const elided = expected.some(isEllipsis);
  const parts = diffArrays([...expected], [...actual], {
    comparator: (left, right) => matchLine(left, right, samples),
  });
  for (const part of parts) {
    for (const text of part.value) {
      if (part.added) {
        lines.push({ kind: "+", text });
      } else if (part.removed && isEllipsis(text)) {
        lines.push({ kind: " ", text });
        at++;
      } else {
        if (part.removed) firstMissing ??= at;
        lines.push({ kind: part.removed ? "-" : " ", text });
        at++;
      }
    }
  }
  return {
    lines: trimAdded(lines, elided ? 12 : 60).map(shorten),
    ...(firstMissing !== undefined && { firstMissing }),
  };
}

/** The JSON of a watch would hide the rest of the diff. */
function shorten(line: DiffLine): DiffLine {
  if (line.text.length <= 300) return line;
  return {
    ...line,
    text: `${line.text.slice(0, 200)} … ${line.text.slice(-60)} (${line.text.length} characters)`,
  };
}

/** Keeps the ends of long runs of extra lines. They say little, above all where `...` allows them. */
function trimAdded(lines: readonly DiffLine[], most: number): DiffLine[] {
  const result: DiffLine[] = [];
  for (let i = 0; i < lines.length; ) {
    let end = i;
    while (lines[end]?.kind === "+") end++;
    const run = lines.slice(i, end);
    if (run.length > most) {
      result.push(
        ...run.slice(0, most / 2),
        { kind: " ", text: `(${run.length - most} more lines)` },
        ...run.slice(-most / 2),
      );
    } else result.push(...run);
    const next = lines[end];
    if (next) result.push(next);
    i = end + 1;
  }
  return result;
}
