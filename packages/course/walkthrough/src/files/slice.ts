/** Reports whether a line is only `…`, or a comment of it: the quotation leaves lines out here. */
export function isElision(line: string): boolean {
  return /^(?:\/\/|#|--|\/\*|<!--|;)?\s*…\s*(?:\*\/|-->)?$/.test(line.trim());
}

/**
 * Checks that a file has the lines of a quotation, in order: all of them in one piece, or in pieces between
 * lines of `…`. The quotation may leave off common indentation. Trailing blanks do not count.
 *
 * @returns undefined, or the index of the first quoted line that the file does not have there
 */
export function findMismatch(quotation: string, file: string): number | undefined {
  const quoted = quotation
    .replace(/\n+$/, "")
    .split("\n")
    .map((line) => line.trimEnd());
  const lines = file.split("\n").map((line) => line.trimEnd());
  const runs: { lines: string[]; at: number }[] = [];
  let run: string[] = [];
  quoted.forEach((line, i) => {
    if (isElision(line)) run = [];
    else {
      if (run.length === 0) runs.push({ lines: run, at: i });
      run.push(line);
    }
  });

  let best = 0;
  const place = (index: number, from: number): boolean => {
    const next = runs[index];
    if (!next) return true;
    const wanted = withoutBlankEnds(next.lines);
    for (let at = from; at < Math.max(lines.length, from + 1); at++) {
      const length = commonLength(wanted.lines, lines, at);
      if (length < wanted.lines.length) best = Math.max(best, next.at + wanted.skipped + length);
      else if (place(index + 1, at + wanted.lines.length)) return true;
    }
    return false;
  };
  return place(0, 0) ? undefined : best;
}

function withoutBlankEnds(run: readonly string[]): { lines: readonly string[]; skipped: number } {
  let start = 0;
  let end = run.length;
  while (start < end && run[start] === "") start++;
  while (end > start && run[end - 1] === "") end--;
  return { lines: run.slice(start, end), skipped: start };
}

/** Counts the lines that agree from `at` on, with one indentation that the quotation may have left off. */
function commonLength(wanted: readonly string[], lines: readonly string[], at: number): number {
  const first = lines[at] ?? "";
  const start = wanted[0] ?? "";
  if (!first.endsWith(start)) return 0;
  const indent = first.slice(0, first.length - start.length);
  if (indent.trim() !== "") return 0;
  let length = 0;
  while (length < wanted.length && at + length < lines.length) {
    const line = wanted[length] ?? "";
    if ((line === "" ? "" : indent + line) !== lines[at + length]) break;
    length++;
  }
  return length;
}
