import { compileLine } from "./pattern.ts";
import { matchRecord } from "./record.ts";
import { noSamples, type Samples, substituteSamples } from "./samples.ts";

/**
 * Returns a printed line as the page would write it: with the page's samples instead of the learner's
 * objects, and with escapes for text that looks like a wildcard. Words of the old line that still match stay,
 * in their columns: an AGE of 12s does not become 13s. A log record with JSON fields keeps the fields that
 * the page shows.
 */
export function reviseLine(old: string | undefined, seen: string, samples: Samples): string {
  return reviseRecord(old ?? "", seen, samples) ?? reviseWords(old, seen, samples);
}

/** Undefined unless both lines are records with JSON fields, and share at least one. */
function reviseRecord(old: string, seen: string, samples: Samples): string | undefined {
  const [before, after] = [recordOf(old), recordOf(seen)];
  const common = Object.entries(before?.fields ?? {}).filter(([key]) => after && key in after.fields);
  if (!before || !after || common.length === 0) return undefined;
  const fields = common.map(([key, value]): [string, unknown] => {
    const now = after.fields[key];
    const same = matchRecord(JSON.stringify({ [key]: value }), JSON.stringify({ [key]: now }), samples);
    return [key, same ? value : now];
  });
  const [comma, colon] = /^\{"(?:[^"\\]|\\.)*": /.test(before.json) ? [", ", ": "] : [",", ":"];
  const json = fields.map(([key, value]) => `${JSON.stringify(key)}${colon}${JSON.stringify(value)}`);
  const text = reviseWords(before.text, after.text.trimEnd(), samples);
  const blank = /\s*$/.exec(after.text)?.[0] ?? "";
  return text + blank + withSamples(`{${json.join(comma)}}`, samples);
}

/** Splits a log record into the text before its JSON fields, with the blank, and the fields. */
function recordOf(
  line: string,
): { text: string; json: string; fields: Readonly<Record<string, unknown>> } | undefined {
  const at = line.search(/(?<=^|\s)\{"/);
  if (at === -1) return undefined;
  const json = line.slice(at).trimEnd();
  try {
    return { text: line.slice(0, at), json, fields: JSON.parse(json) as Record<string, unknown> };
  } catch {
    return undefined;
  }
}

function reviseWords(old: string | undefined, seen: string, samples: Samples): string {
  const [before, after] = [wordsOf(old ?? ""), wordsOf(seen)];
  if (before.length !== after.length)
    return escapeLine(withSamples(escapeWildcards(seen.trimEnd()), samples));
  let line = "";
  for (const [i, { gap, text }] of after.entries()) {
    const { text: sample = "", at = 0 } = before[i] ?? {};
    if (i === 0 || gap === " ") line += gap;
    // A column stays where the page has it, if the text before it leaves room.
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

/** Replaces the names of the learner's objects by the page's samples. */
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

/** Escapes a line that a page would not read as output: an ellipsis, or a command. */
function escapeLine(line: string): string {
  return /^\s*\.{2,}\s*$|^\$ /.test(line) ? line.replace(/[.$]/, "\\$&") : line;
}
