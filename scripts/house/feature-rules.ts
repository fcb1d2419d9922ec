import { posix } from "node:path";
import MarkdownIt from "markdown-it";
import type { Repository } from "./link-rules.ts";
import { testTitles } from "./test-titles.ts";

const markdown = new MarkdownIt();

/** A row of a table: its first cell, and the links in the others. */
export interface FeatureRow {
  readonly feature: string;
  readonly links: readonly { readonly href: string; readonly text: string }[];
}

/** What is wrong with a page that says which tests show a feature, a line each. */
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
  const tests = links.filter(({ href }) => href.endsWith(".test.ts"));
  if (tests.length === 0) return [`${page}: ${feature} has no test`];
  return tests.flatMap(({ href, text }) => {
    const file = posix.join(posix.dirname(page), href);
    if (!files.has(file)) return [`${page}: ${feature}: there is no ${file}`];
    if (testTitles(file, read(file)).includes(text)) return [];
    return [`${page}: ${feature}: ${file} runs no test named "${text}"`];
  });
}

/** Of every table on the page. */
export function featureRows(text: string): FeatureRow[] {
  const tokens = markdown.parse(text, {});
  const rows: { feature: string; links: { href: string; text: string }[] }[] = [];
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

function linksIn(tokens: readonly { type: string; content: string; attrGet(name: string): unknown }[]) {
  const links: { href: string; text: string }[] = [];
  let open: { href: string; text: string } | undefined;
  for (const token of tokens) {
    if (token.type === "link_open") open = { href: decodeURI(String(token.attrGet("href"))), text: "" };
    else if (token.type === "link_close" && open) {
      links.push(open);
      open = undefined;
    } else if (open) open.text += token.content;
  }
  return links;
}
