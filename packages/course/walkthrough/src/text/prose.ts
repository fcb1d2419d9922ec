import MarkdownIt from "markdown-it";
import { splitFrontMatter } from "../page/front-matter.ts";
import { type Block, blocksOf, type Page } from "../page/page.ts";
import { codeWord, shownInPicture } from "./picture.ts";
import { commentsIn } from "./proven.ts";

/**
 * A text of a page that no run checks: a paragraph, heading, table cell, summary, `text` fence, or a comment
 * in the code that the page shows.
 *
 * `picture` is a `mermaid` fence. Its numbers and names need a source, its other words do not.
 *
 * `whole` is the front matter, or a block that only runs or compiles elsewhere (on kind, by Go). It is
 * compared with the accepted texts only, and needs no claims.
 */
export interface Prose {
  readonly kind: "text" | "fence" | "picture" | "comment" | "whole";
  /** The text as the page writes it. */
  readonly source: string;
  /** Line of the page where `source` begins. */
  readonly line: number;
  /**
   * The source with one blank for each run of white space, and in a fence for each run of box-drawing
   * characters.
   */
  readonly text: string;
  /** `text` with blanks for code spans, link targets and tags. It has the same length. */
  readonly words: string;
  readonly spans: readonly Located[];
  readonly links: readonly Link[];
  /** Words that look like names: `ReplicaSet`, `SIGTERM`. */
  readonly names: readonly Located[];
  /** For a comment: the line of code that it is about. Otherwise undefined. */
  readonly about?: string;
  /** Returns the line of the page at an offset of `text`. */
  lineAt(offset: number): number;
}

export interface Located {
  readonly text: string;
  readonly at: number;
  /** Offset after the last character. */
  readonly end: number;
}

export interface Link extends Located {
  readonly href: string;
  /** The link is the whole paragraph: it is the caption of a fence. */
  readonly alone: boolean;
}

/** Returns the texts of a page in their order. The front matter and its summary come first. */
export function findProse(page: Page): Prose[] {
  const { body, offset } = splitFrontMatter(page.source, page.path);
  const tokens = new MarkdownIt({ html: true }).parse(body, {});
  const found: Prose[] = [];
  const add = (source: string, line: number, kind: Prose["kind"], about?: string): void => {
    found.push({ ...proseOf(source, line, kind), ...(about !== undefined && { about }) });
  };
  const lines = page.source.split("\n");
  add(lines.slice(0, offset).join("\n"), 1, "whole");
  const summary = lines.findIndex((line) => line.startsWith("summary:"));
  if (page.frontMatter.summary !== undefined) add(page.frontMatter.summary, summary + 1, "text");
  const blocks = new Map(blocksOf(page).map((block) => [block.line, block]));
  let row = 0;
  for (const token of tokens) {
    const line = offset + (token.map?.[0] ?? row) + 1;
    if (token.type === "tr_open") row = token.map?.[0] ?? row;
    if (token.type === "inline") add(token.content, line, "text");
    if (token.type === "html_block") add(token.content, line, "text");
    if (token.type !== "fence") continue;
    const block = blocks.get(line);
    if (!block) add(token.content, line + 1, /^mermaid\b/.test(token.info) ? "picture" : "fence");
    else if (!isChecked(block)) add(token.content, line + 1, "whole");
    else if ("content" in block && block.kind !== "tree") {
      const isEdit = block.kind === "edit";
      const code = isEdit ? token.content.replaceAll(/^(?:-.*|\+\+\+ .*|@@.*|[ +])/gm, "") : token.content;
      for (const comment of commentsIn(code))
        add(comment.text, line + 1 + comment.line, "comment", comment.about);
    }
  }
  return found;
}

/**
 * Reports whether a run on the embedded cluster, or a compiler of this repository, would detect a wrong line
 * in the block.
 */
function isChecked(block: Block): boolean {
  if (block.kind === "console") return block.options.providers?.includes("embedded") ?? true;
  return block.kind !== "quotation" || block.language !== "go";
}

function proseOf(source: string, line: number, kind: Prose["kind"]): Prose {
  const { text, lineOf } = collapse(
    kind === "whole" ? "" : source,
    line,
    kind === "fence" ? /[\s\u2500-\u257f\u25b6]/ : /\s/,
  );
  if (kind === "picture") return pictureOf(source, line);
  const isText = kind === "text";
  const spans = isText ? codeSpans(text) : [];
  const masked = mask(text, spans);
  const links = isText ? linksOf(text, masked) : [];
  const targets = links.map(({ at, end, text: label }) => ({ text: "", at: at + label.length + 2, end }));
  const tags = [...masked.matchAll(/<[^>]*>/g)].map((match) => range(match.index, match[0]));
  const words = isText ? mask(mask(masked, targets), tags) : text;
  const names = isText ? namesIn(words) : [];
  return {
    kind,
    source,
    line,
    text,
    words,
    spans,
    links,
    names,
    lineAt: (at) => lineOf[at] ?? line,
  };
}

function pictureOf(source: string, line: number): Prose {
  const { text, lineOf } = collapse(shownInPicture(source), line);
  return {
    ...{ kind: "picture", source, line, text, words: text, spans: [], links: [] },
    names: [...namesIn(text), ...matchesOf(text, codeWord)],
    lineAt: (at) => lineOf[at] ?? line,
  };
}

/** Replaces each run of white space by one blank. Claims are compared in this form. */
export function collapse(
  source: string,
  line: number,
  blank: RegExp = /\s/,
): { text: string; lineOf: number[] } {
  let text = "";
  const lineOf: number[] = [];
  let at = line;
  for (const letter of source) {
    const isBlank = blank.test(letter);
    if (!isBlank || (text !== "" && !text.endsWith(" "))) {
      text += isBlank ? " " : letter;
      while (lineOf.length < text.length) lineOf.push(at);
    }
    if (letter === "\n") at++;
  }
  return { text: text.trimEnd(), lineOf };
}

function namesIn(words: string): Located[] {
  return matchesOf(words, /\b(?:[A-Z]+[a-z]+[A-Z]\w*|[A-Z][A-Z-]+[A-Z])\b/g);
}

function matchesOf(words: string, pattern: RegExp): Located[] {
  return [...words.matchAll(pattern)].map((match) => range(match.index, match[0]));
}

function codeSpans(text: string): Located[] {
  return [...text.matchAll(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g)].map((match) => ({
    text: (match[2] ?? "").replace(/^ (.*) $/, "$1"),
    at: match.index,
    end: match.index + match[0].length,
  }));
}

/** Finds links in `masked`, where no bracket of a code span is left. */
function linksOf(text: string, masked: string): Link[] {
  return [...masked.matchAll(/\[([^[\]]*)\]\(([^()\s]*)\)/g)].map((match) => ({
    text: text.slice(match.index + 1, match.index + 1 + (match[1] ?? "").length),
    href: match[2] ?? "",
    at: match.index,
    end: match.index + match[0].length,
    alone: match[0] === text,
  }));
}

function mask(text: string, ranges: readonly Located[]): string {
  return ranges.reduce(
    (masked, { at, end }) => masked.slice(0, at) + " ".repeat(end - at) + masked.slice(end),
    text,
  );
}

function range(at: number, text: string): Located {
  return { text, at, end: at + text.length };
}
