import { closestMatch } from "leven";
import type MarkdownIt from "markdown-it";
import type { Fold } from "./folds.ts";
import type { Step } from "./page.ts";
import { PageError } from "./page-error.ts";
import { questionMark, terminalMark } from "./question.ts";

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

/** Words of a comment, a heading and a fold that mean something to the runner. */
const marks = [questionMark, terminalMark];
const headings = ["clean-up"];
const summaries = ["Hint", "Solution", "In Go"];

/**
 * Throws PageError for a mark, heading or summary that is almost one of the runner's words: it would count as text, and
 * the page would lose its question, Clean up or hint silently.
 *
 * @param offset lines of the page above the tokens
 */
export function checkNearMisses(
  page: {
    readonly tokens: readonly Token[];
    readonly steps: readonly Step[];
    readonly folds: readonly Fold[];
  },
  path: string,
  offset: number,
): void {
  const check = (line: number, word: string, known: readonly string[], maxDistance: number): void => {
    if (known.includes(word)) return;
    const near = closestMatch(word, known, { maxDistance });
    if (near !== undefined)
      throw new PageError(path, line, `"${word}" means nothing to the runner; did you mean "${near}"?`);
  };
  for (const { type, content, map } of page.tokens) {
    if (type !== "inline" && type !== "html_block") continue;
    const [start = 0] = map ?? [];
    for (const { 0: comment, index } of content.matchAll(/<!--[\s\S]*?-->/g)) {
      const line = offset + start + content.slice(0, index).split("\n").length;
      check(line, comment, marks, 2);
    }
  }
  for (const { slug, line } of page.steps) check(line, slug, headings, 2);
  for (const { summary, from } of page.folds) check(offset + from + 1, summary, summaries, 1);
}
