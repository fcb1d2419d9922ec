import { compileLine } from "./pattern.ts";
import { noSamples, type Samples, substituteSamples } from "./samples.ts";

/**
 * A seen line as a page writes it: with the page's samples in the place of the learner's objects, escaped where it looks
 * like a wildcard. Of the line that it stands in for, if any, words that match it as they are stay, in their columns: an
 * AGE of 12s need not become 13s.
 */
export function reviseLine(old: string | undefined, seen: string, samples: Samples): string {
  const [before, after] = [wordsOf(old ?? ""), wordsOf(seen)];
  if (before.length !== after.length)
    return escapeLine(withSamples(escapeWildcards(seen.trimEnd()), samples));
  let line = "";
  for (const [i, { gap, text }] of after.entries()) {
    const { text: sample = "", at = 0 } = before[i] ?? {};
    if (i === 0 || gap === " ") line += gap;
    // A column: where the page has it, if what stands before leaves room.
    else line = `${line}   `.padEnd(at);
    line += compileLine(sample).match(text, samples) ? sample : withSamples(escapeWildcards(text), samples);
  }
  return escapeLine(line);
}

/** Words, each with the blanks before it and the column where it begins. */
function wordsOf(line: string): { gap: string; text: string; at: number }[] {
  return [...line.matchAll(/(\s*)(\S+)/g)].map(({ 1: gap = "", 2: text = "", index }) => {
    return { gap, text, at: index + gap.length };
  });
}

/** The learner's own objects, as the page calls them. */
function withSamples(text: string, samples: Samples): string {
  const own = [...samples.values].filter(
    ([sample]) => samples.fixed.has(sample) && !sample.startsWith("[.."),
  );
  return substituteSamples(text, {
    ...noSamples,
    values: new Map(own.map(([sample, value]) => [value, sample])),
  });
}

function escapeWildcards(text: string): string {
  return text.replaceAll(/\\(?=[\\[\].])|\[(?=[.…])/g, "\\$&");
}

/** A line that a page reads as something else than output. */
function escapeLine(line: string): string {
  return /^\s*\.{2,}\s*$|^\$ /.test(line) ? line.replace(/[.$]/, "\\$&") : line;
}
