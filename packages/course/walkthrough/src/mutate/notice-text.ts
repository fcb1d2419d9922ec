import { matchLine } from "../expect/match.ts";
import { noSamples } from "../expect/samples.ts";
import { checkLinks } from "../page/links.ts";
import type { Page } from "../page/page.ts";
import { PageError } from "../page/page-error.ts";
import { parsePage } from "../page/parse.ts";

/**
 * Checks a changed page without a run. Returns what is wrong, or undefined if nothing is detected. Compares
 * changed output with the output that the page showed before, which a run has proven.
 */
export function noticeText(page: Page, changed: string): string | undefined {
  let mutated: Page;
  try {
    mutated = parsePage(changed, page.path);
  } catch (error) {
    if (error instanceof PageError) return error.message;
    throw error;
  }
  const failure = checkLinks(mutated);
  if (failure) return `line ${failure.line}: ${failure.message}`;
  const [before, after] = [outputOf(page), outputOf(mutated)];
  for (const [line, text] of after) {
    const shown = before.get(line);
    if (shown !== undefined && shown !== text && !matchLine(text, shown, noSamples))
      return `line ${line}: the output differs`;
  }
  return undefined;
}

function outputOf(page: Page): Map<number, string> {
  const lines = page.steps
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === "console" ? block.entries : []))
    .flatMap(({ expected }) => expected.lines);
  return new Map(lines.map(({ line, text }) => [line, text]));
}
