import { compileLine } from "../expect/pattern.ts";
import { noSamples } from "../expect/samples.ts";
import type { Block, Page } from "../page/page.ts";
import { parsePage } from "../page/parse.ts";
import { questionMark } from "../page/question.ts";
import { isReadOnly } from "../terminal/read-only.ts";
import { withoutNumbers } from "./mutant.ts";

/**
 * A page that is wrong on purpose. Its run must fail: a page that passes without a step does not prove that
 * step.
 */
export interface Mutation {
  /** The change: `without the step "reconcile"`. */
  readonly name: string;
  readonly page: Page;
}

/**
 * Returns one mutation for each step that changes files or the cluster, Clean up included. The mutation
 * leaves out what the step changes, and keeps what it claims: commands that only read, quotations, and later
 * output of terminals.
 *
 * @param provider of the runs. Steps that change only clusters of other providers have no mutation
 */
export function dropEachStep(page: Page, provider = "embedded"): Mutation[] {
  const runs = (block: Block): boolean =>
    block.kind !== "console" || (block.options.providers?.includes(provider) ?? true);
  return page.steps
    .filter((step) => step.blocks.some((block) => runs(block) && changes(block).length > 0))
    .map((step) => ({ name: `without the step "${step.slug}"`, page: dropStep(page, step.slug) }));
}

/** Returns the page without what a step changes. Throws an Error if there is no such step. */
export function dropStep(page: Page, slug: string): Page {
  const step = page.steps.find((found) => found.slug === slug);
  if (!step) {
    const names = page.steps.map((found) => found.slug).join(", ");
    throw new Error(`${page.path} has no step "${slug}"; there are ${names}`);
  }
  const lines = page.source.split("\n");
  // The lines become empty, so that a report names the lines of the real page.
  for (const block of step.blocks) {
    for (const { from, to } of changes(block)) lines.fill("", from - 1, to - 1);
    const inside = lines.slice(block.line, block.endLine - 1);
    if (inside.every((line) => line === "")) lines.fill("", block.line - 1, block.endLine);
  }
  // A question may have lost its answer.
  const source = lines.join("\n").replaceAll(questionMark, "");
  // Later diffs must fail because of what the step did, and not because their lines moved.
  return parsePage(withoutNumbers(source), page.path);
}

/**
 * Reports whether a command only claims something. The checklist does, because it has its own cluster, and so do a
 * request that the server only checks, and one to a webhook by hand.
 */
function claims(command: string): boolean {
  return (
    isReadOnly(command) ||
    command === "pnpm exec operator-path checklist" ||
    /^curl [^|&;]*--data /.test(command) ||
    /^kubectl [^|&;<>]*--dry-run=server$/.test(command)
  );
}

/** Returns the lines of a block that change something, from `from` to before `to`. */
function changes(block: Block): { from: number; to: number }[] {
  if (block.kind === "quotation" || block.kind === "tree") return [];
  if (block.kind === "exercise") return [block, ...block.solution].map(linesOf);
  if (block.kind !== "console") return [linesOf(block)];
  // Lines can be typed only after the command that shows the prompt.
  if (block.options.prompt !== undefined) return [linesOf(block)];
  return block.entries.flatMap((entry, i) => {
    const changing = entry.kind === "command" ? !claims(entry.text) : entry.kind !== "output";
    return changing ? [{ from: entry.line, to: block.entries[i + 1]?.line ?? block.endLine }] : [];
  });
}

function linesOf({ line, endLine }: { readonly line: number; readonly endLine: number }) {
  return { from: line, to: endLine + 1 };
}

/**
 * Changes the last word of expected output, on the given line of the page, that must match exactly. Throws an
 * Error if the line is not expected output, or has no such word.
 */
export function changeWord(page: Page, line: number): Page {
  const expected = page.steps
    .flatMap((step) => step.blocks.flatMap((block) => (block.kind === "console" ? block.entries : [])))
    .flatMap((entry) => entry.expected.lines)
    .find((found) => found.line === line);
  if (!expected) throw new Error(`${page.path}:${line} is not expected output`);
  const pattern = compileLine(expected.text);
  const words = [...expected.text.matchAll(/[A-Za-z]{2,}/g)].reverse();
  for (const word of words) {
    const changed = `${expected.text.slice(0, word.index)}${word[0]}x${expected.text.slice(word.index + word[0].length)}`;
    // A word that a wildcard or a sample covers would still match.
    if (pattern.match(changed, noSamples)) continue;
    const lines = page.source.split("\n");
    lines[line - 1] = (lines[line - 1] ?? "").replace(expected.text, () => changed);
    return parsePage(lines.join("\n"), page.path);
  }
  throw new Error(`${page.path}:${line} has no word that must match exactly`);
}

/**
 * Replaces a text of the page, to break a controller on purpose. Throws an Error unless the page has the text
 * exactly once.
 */
export function replaceInPage(page: Page, text: string, replacement: string): Page {
  const parts = page.source.split(text);
  if (parts.length !== 2)
    throw new Error(`${page.path} has this text ${parts.length - 1} times, not once: ${text}`);
  return parsePage(withoutNumbers(parts.join(replacement)), page.path);
}
