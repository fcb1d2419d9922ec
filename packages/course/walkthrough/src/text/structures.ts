import MarkdownIt from "markdown-it";
import { splitFrontMatter } from "../page/front-matter.ts";
import type { Page } from "../page/page.ts";

/** A list or a table of a page, for claims that count. */
export interface Structure {
  readonly kind: "list" | "table";
  readonly line: number;
  /** Items of the list without nested ones, or rows of the table without its header. */
  readonly count: number;
  /** For an ordered list: the number of each item, as the page writes it. */
  readonly markers: readonly { readonly number: string; readonly line: number }[];
}

/** Returns the lists and tables of a page, in order. */
export function structuresOf(page: Page): Structure[] {
  const { body, offset } = splitFrontMatter(page.source, page.path);
  const found: (Structure & { count: number; level: number; markers: { number: string; line: number }[] })[] =
    [];
  for (const token of new MarkdownIt({ html: true }).parse(body, {})) {
    const { type, level } = token;
    const line = offset + (token.map?.[0] ?? 0) + 1;
    if (type === "bullet_list_open" || type === "ordered_list_open")
      found.push({ kind: "list", line, count: 0, level, markers: [] });
    if (type === "tbody_open") found.push({ kind: "table", line, count: 0, level, markers: [] });
    const kind = type === "list_item_open" ? "list" : type === "tr_open" ? "table" : undefined;
    const own = found.findLast((one) => one.kind === kind && one.level === level - 1);
    if (own) own.count++;
    if (own && type === "list_item_open" && token.info !== "") own.markers.push({ number: token.info, line });
  }
  return found;
}

/** Returns the items of ordered lists with a wrong number. Each list must count from 1. */
export function misnumbered(
  page: Page,
): { readonly line: number; readonly number: string; readonly wanted: number }[] {
  return structuresOf(page).flatMap(({ markers }) =>
    markers.flatMap(({ number, line }, i) =>
      number === String(i + 1) ? [] : [{ line, number, wanted: i + 1 }],
    ),
  );
}
