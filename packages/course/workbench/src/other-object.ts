import { matchOutput, type Page, type Samples, type Seen } from "@operator-path/walkthrough";
import { entriesOf, type PlacedEntry } from "./page-actions.ts";

/** An object in the output of a command where the page means another one. The output is right apart from names. */
export interface OtherObject {
  /** Its name in the output. */
  readonly seen: string;
  /** The page's name that has stood for it so far. Undefined: the output has it for the first time. */
  readonly usedFor: string | undefined;
  /** The learner's name of the object that the page means. Undefined: the page has shown none yet. */
  readonly meant: string | undefined;
}

/**
 * Compares output again, with any names. Returns the names that it binds, and the first object that is another one
 * than the page means. Undefined: the output differs in more than names.
 */
export function otherObjectIn(
  { entry, lines, options }: Seen,
  samples: Samples,
): { readonly bound: Samples; readonly other: OtherObject } | undefined {
  const expected = entry.expected.lines.map(({ text }) => text);
  const free = { ...samples, fixed: new Set<string>() };
  const result = matchOutput(expected, lines, { ...options, samples: free });
  if (!result) return undefined;
  const { values, fixed } = result.samples;
  const bound = { ...result.samples, fixed: new Set([...samples.fixed, ...fixed]) };
  for (const sample of fixed) {
    const seen = values.get(sample) ?? "";
    const meant = samples.fixed.has(sample) ? samples.values.get(sample) : undefined;
    const usedFor = [...samples.fixed].find((one) => one !== sample && samples.values.get(one) === seen);
    if (meant !== undefined || usedFor !== undefined) return { bound, other: { seen, usedFor, meant } };
  }
  return undefined;
}

/** Commands that remove or replace objects. */
const removes = /\b(?:delete|replace|restart|undeploy|uninstall|scale)\b/;

/**
 * Returns the first command between two lines of the page that removes or replaces objects, and is not done.
 *
 * @param isDone reports whether an action is done, by its key
 */
export function skippedRemoval(
  page: Page,
  { after, before }: { readonly after: number; readonly before: number },
  isDone: (key: string) => boolean,
): PlacedEntry | undefined {
  return entriesOf(page).find(
    (one) =>
      one.entry.line > after &&
      one.entry.line < before &&
      one.block.options.providers === undefined &&
      removes.test(one.entry.text) &&
      !isDone(one.key),
  );
}
