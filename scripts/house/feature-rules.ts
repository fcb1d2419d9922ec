import { posix } from "node:path";
import MarkdownIt from "markdown-it";
import type { Repository } from "./link-rules.ts";
import { hasRunningTest } from "./running-tests.ts";

const markdown = new MarkdownIt();

/** A row of a table: its first cell, and the targets of the links in the others. */
export interface FeatureRow {
  readonly feature: string;
  readonly links: readonly string[];
}

/**
 * Returns what is wrong in a page that lists features and the test files that prove them, a line each. A
 * feature needs a link to a test file with at least one test that runs. Test titles are not compared, so
 * renaming a test breaks no page.
 */
export function checkFeatures(page: string, features: readonly string[], repository: Repository): string[] {
  const rows = featureRows(repository.read(page));
  const names = rows.map(({ feature }) => feature);
  return [
    ...features
      .filter((feature) => !names.includes(feature))
      .map((feature) => `${page} has no row for ${feature}`),
    ...names
      .filter((feature, index) => names.indexOf(feature) !== index)
      .map((feature) => `${page} has two rows for ${feature}`),
    ...rows.flatMap((row) => checkRow(page, row, repository)),
  ];
}

function checkRow(page: string, { feature, links }: FeatureRow, { files, read }: Repository): string[] {
  const tests = links.filter((href) => href.endsWith(".test.ts"));
  if (tests.length === 0) return [`${page}: ${feature} has no test`];
  return tests.flatMap((href) => {
    const file = posix.join(posix.dirname(page), href);
    if (!files.has(file)) return [`${page}: ${feature}: ${file} does not exist`];
    return hasRunningTest(file, read(file)) ? [] : [`${page}: ${feature}: ${file} runs no test`];
  });
}

/** Returns the rows of every table on the page. */
export function featureRows(text: string): FeatureRow[] {
  const tokens = markdown.parse(text, {});
  const rows: { feature: string; links: string[] }[] = [];
  let row: (typeof rows)[number] | undefined;
  let inBody = false;
  for (const { type, children, content } of tokens) {
    if (type === "tbody_open" || type === "tbody_close") inBody = type === "tbody_open";
    if (type === "tr_open") row = undefined;
    if (!inBody || type !== "inline") continue;
    if (row) row.links.push(...linksIn(children ?? []));
    else {
      row = { feature: content, links: [] };
      rows.push(row);
    }
  }
  return rows;
}

function linksIn(tokens: readonly { type: string; attrGet(name: string): unknown }[]): string[] {
  return tokens
    .filter(({ type }) => type === "link_open")
    .map((token) => decodeURI(String(token.attrGet("href"))));
}
