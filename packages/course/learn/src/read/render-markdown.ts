import { resolve } from "node:path";
import getWidth from "fast-string-truncated-width";
import { wrapAnsi } from "fast-wrap-ansi";
import MarkdownIt from "markdown-it";
import { createColors } from "picocolors";
import { shortPath } from "../pages.ts";
import { type Colors, highlight, highlightConsole } from "./highlight.ts";

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

export interface RenderOptions {
  /** In columns. No line is longer, except those of code. */
  readonly width: number;
  readonly color: boolean;
  /** Show hints and solutions too. Default false. */
  readonly all?: boolean;
  /** The page's folder, for links to other documents. Default: they are shown as the page has them. */
  readonly folder?: string;
}

/**
 * Renders the Markdown of a page for a terminal. Hints and solutions of exercises stay folded. Diagrams are
 * shown as their source in a box. Code keeps its lines, and begins in the first column, so that it can be copied.
 * Ends with a newline.
 */
export function renderMarkdown(
  markdown: string,
  { width, color, all = false, folder }: RenderOptions,
): string {
  const body = markdown.replace(/^---\n.*?\n---\n/s, "");
  const tokens = new MarkdownIt({ html: true }).parse(body, {});
  const shown = all ? tokens : withoutFolds(tokens);
  const lines = renderBlocks(shown, { width, colors: createColors(color), all, folder });
  return `${lines.join("\n").trim()}\n`;
}

interface Context {
  readonly width: number;
  readonly colors: Colors;
  readonly all: boolean;
  readonly folder: string | undefined;
}

/** The title of a fold that would tell a learner what to write. */
const spoiler = /^(?:Hint|Solution)\b/;

/** Replaces the content of exercises' folds by a note. */
function withoutFolds(tokens: readonly Token[]): Token[] {
  let folded = false;
  return tokens.filter((token) => {
    const isHtml = token.type === "html_block";
    if (isHtml && folded && token.content.includes("</details>")) {
      folded = false;
      return false;
    }
    if (folded) return false;
    folded = isHtml && spoiler.test(titleOf(token.content) ?? "");
    return true;
  });
}

function renderBlocks(tokens: readonly Token[], context: Context): string[] {
  const lines: string[] = [];
  // The text of an item in a list without blank lines is a hidden paragraph.
  let tight = true;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (!token) continue;
    const end = token.nesting === 1 ? closing(tokens, i) : i;
    const block = renderBlock(token, tokens.slice(i + 1, end), context);
    if (block.length > 0) lines.push(...(tight ? [] : [""]), ...block);
    tight = block.length === 0 ? tight : token.hidden;
    i = end;
  }
  return lines;
}

/** Returns the index of the token that closes the one at `open`. */
function closing(tokens: readonly Token[], open: number): number {
  const level = tokens[open]?.level;
  const at = tokens.findIndex((token, i) => i > open && token.nesting === -1 && token.level === level);
  return at === -1 ? tokens.length - 1 : at;
}

function renderBlock(token: Token, inner: readonly Token[], context: Context): string[] {
  const { width, colors } = context;
  switch (token.type) {
    case "heading_open": {
      const text = wrap(inlineText(inner[0], context), width);
      if (token.tag === "h1") return text.map((line) => colors.bold(colors.underline(line)));
      return ["", ...text.map((line) => colors.bold(token.tag === "h2" ? colors.cyan(line) : line))];
    }
    case "paragraph_open":
      return wrap(inlineText(inner[0], context), width);
    case "fence":
    case "code_block":
      return renderCode(token, context);
    case "bullet_list_open":
    case "ordered_list_open":
      return renderList(token, inner, context);
    case "blockquote_open":
      return renderBlocks(inner, { ...context, width: width - 2 }).map(
        (line) => `${colors.dim("│")} ${line}`,
      );
    case "table_open":
      return renderTable(inner, context);
    case "hr":
      return [colors.dim("─".repeat(width))];
    case "html_block":
      return renderHtml(token.content, context);
    default:
      return [];
  }
}

function renderCode(token: Token, { width, colors }: Context): string[] {
  const language = /^\S*/.exec(token.info)?.[0] ?? "";
  const code = token.content.replace(/\n$/, "");
  if (language === "mermaid") return boxed(code, "a diagram, as its source", { width, colors });
  const text = language === "console" ? highlightConsole(code, colors) : highlight(code, language, colors);
  return [colors.dim(`┌─ ${language || "text"}`), ...text.split("\n"), colors.dim("└─")];
}

function boxed(code: string, title: string, { width, colors }: Pick<Context, "width" | "colors">): string[] {
  const inside = width - 4;
  const lines = code.split("\n").flatMap((line) => wrap(line, inside, { hard: true, trim: false }));
  const longest = Math.max(widthOf(title), ...lines.map(widthOf));
  const bar = (left: string, text: string, right: string): string =>
    colors.dim(`${left}─${text}${"─".repeat(longest + 1 - widthOf(text))}${right}`);
  return [
    bar("┌", title, "┐"),
    ...lines.map((line) => `${colors.dim("│")} ${pad(line, longest)} ${colors.dim("│")}`),
    bar("└", "", "┘"),
  ];
}

function renderList(list: Token, inner: readonly Token[], context: Context): string[] {
  const lines: string[] = [];
  let number = Number(list.attrGet("start") ?? 1);
  let loose = false;
  for (let i = 0; i < inner.length; i++) {
    const end = closing(inner, i);
    const item = inner.slice(i + 1, end);
    const mark = list.type === "ordered_list_open" ? `${number++}. ` : "- ";
    const text = renderBlocks(item, { ...context, width: context.width - mark.length });
    if (loose) lines.push("");
    lines.push(
      ...text.map((line, at) => (at === 0 ? `${mark}${line}` : `${" ".repeat(mark.length)}${line}`)),
    );
    loose = item[0]?.hidden === false;
    i = end;
  }
  return lines;
}

function renderTable(inner: readonly Token[], context: Context): string[] {
  const { width, colors } = context;
  const rows: string[][] = [];
  for (const token of inner) {
    if (token.type === "tr_open") rows.push([]);
    if (token.type === "inline") rows.at(-1)?.push(inlineText(token, context));
  }
  const [head = []] = rows;
  const gap = 2;
  const natural = head.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ""))));
  const widths = fit(natural, width - gap * (head.length - 1));
  const drawn = rows.map((row, at) => {
    const cells = widths.map((columns, i) => wrap(row[i] ?? "", columns, { hard: true }));
    const height = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) => {
      const texts = cells.map((cell, i) => pad(cell[line] ?? "", widths[i] ?? 0));
      const text = texts.join(" ".repeat(gap)).trimEnd();
      return at === 0 ? colors.bold(text) : text;
    });
  });
  // Rows of several lines need a blank line between them.
  const apart = drawn.some((lines) => lines.length > 1);
  const rule = widths.map((columns) => colors.dim("─".repeat(columns))).join(" ".repeat(gap));
  return drawn.flatMap((lines, at) =>
    at === 0 ? [...lines, rule] : apart && at > 1 ? ["", ...lines] : lines,
  );
}

/** Shrinks the widest columns until the sum fits. */
function fit(widths: readonly number[], total: number): number[] {
  const fitted = [...widths];
  while (fitted.reduce((sum, columns) => sum + columns, 0) > total) {
    const widest = Math.max(...fitted);
    if (widest <= 4) break;
    fitted[fitted.indexOf(widest)] = widest - 1;
  }
  return fitted;
}

function renderHtml(html: string, { colors, all }: Context): string[] {
  const title = titleOf(html);
  if (title === undefined) return [];
  if (all || !spoiler.test(title)) return [`▸ ${colors.bold(title)}`];
  return [`▸ ${colors.bold(title)}${colors.dim(` (folded: ${shownBy[title] ?? "--all"} shows it)`)}`];
}

const shownBy: Readonly<Record<string, string>> = {
  Hint: "`exercise NUMBER hint`",
  Solution: "`exercise NUMBER solution`",
};

/** Returns the title of a fold that begins here. */
function titleOf(html: string): string | undefined {
  return /<summary>(.*?)<\/summary>/s.exec(html)?.[1]?.trim();
}

function inlineText(inline: Token | undefined, { colors, folder }: Context): string {
  let text = "";
  const open: string[] = [];
  let target = "";
  const paint = (part: string): string =>
    open.reduce((painted, kind) => {
      if (kind === "strong") return colors.bold(painted);
      if (kind === "em") return colors.italic(painted);
      return kind === "link" ? colors.underline(colors.blue(painted)) : painted;
    }, part);
  for (const token of inline?.children ?? []) {
    const kind = token.type.replace(/_(?:open|close)$/, "");
    if (token.type === "link_open") target = String(token.attrGet("href") ?? "");
    if (token.nesting === 1) open.push(kind);
    if (token.nesting === -1) open.splice(open.lastIndexOf(kind), 1);
    if (token.type === "link_close" && isElsewhere(target) && !text.endsWith(target))
      text += colors.dim(` (${shownTarget(target, folder)})`);
    if (token.type === "text") text += paint(token.content);
    if (token.type === "code_inline")
      text += paint(colors.isColorSupported ? colors.cyan(token.content) : `\`${token.content}\``);
    if (token.type === "softbreak") text += " ";
    if (token.type === "hardbreak") text += "\n";
    if (token.type === "image") text += paint(token.content);
  }
  return text;
}

/** A link to a file of the project has that file's name, and one to another step the step's title. */
function isElsewhere(target: string): boolean {
  return /^https?:/.test(target) || /^[^#]+\.md(?:#|$)/.test(target);
}

function shownTarget(target: string, folder: string | undefined): string {
  if (folder === undefined || /^https?:/.test(target)) return target;
  return shortPath(resolve(folder, target), process.cwd());
}

function wrap(
  text: string,
  width: number,
  options: Parameters<typeof wrapAnsi>[2] = { hard: true },
): string[] {
  return wrapAnsi(text, Math.max(width, 8), options).split("\n");
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

function widthOf(text: string): number {
  return getWidth(text).width;
}
