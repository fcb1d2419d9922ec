/**
 * Returns the line of a text where a reader should look after a change, from 1: the beginning of the longest run of
 * new lines. Imports do not count, because an edit often adds some at the top and its substance below. Undefined if
 * nothing has changed.
 */
export function placeOfChange(before: string, after: string): number | undefined {
  if (before === after) return undefined;
  if (before === "") return 1;
  const [old, lines] = [before.split("\n"), after.split("\n")];
  const known = new Set(old);
  let longest = { line: 0, length: 0 };
  let run = { line: 1, length: 0 };
  for (const [at, line] of lines.entries()) {
    if (known.has(line) || line.startsWith("import ")) run = { line: at + 2, length: 0 };
    else run = { ...run, length: run.length + 1 };
    if (run.length > longest.length) longest = run;
  }
  if (longest.length > 0) return longest.line;
  // Only imports, or deleted and moved lines.
  const first = lines.findIndex((line, at) => line !== old[at]);
  return first === -1 ? lines.length : first + 1;
}

/**
 * Returns the line where the learner writes in the file of an exercise, from 1: the one that says "your turn", or else
 * the first of the starter. 1 if the file no longer contains the starter.
 */
export function placeOfStarter(text: string, starter: string): number {
  const at = text.indexOf(starter);
  if (at === -1) return 1;
  const above = text.slice(0, at).split("\n").length;
  return (
    above +
    Math.max(
      0,
      starter.split("\n").findIndex((line) => /your turn/i.test(line)),
    )
  );
}
