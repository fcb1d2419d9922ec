import MarkdownIt from "markdown-it";
import { blocksOf } from "../page/blocks-of.ts";
import type { Page } from "../page/page.ts";
import { type LineChange, lineChange } from "./mutant.ts";

/**
 * Returns one change for each claim of a page's text that can be wrong: numbers, number words, code spans, captions and
 * the code of fences that nothing runs. What is run, edited and quoted is left out: the run itself compares that.
 */
export function mutateText(page: Page): LineChange[] {
  const { source } = page;
  const found: LineChange[] = [];
  for (const { start, end, fence } of proseOf(page)) {
    const text = source.slice(start, end);
    const change = (operator: string, at: number, length: number, replacement: string): void => {
      found.push(
        lineChange(source, { operator, start: start + at, end: start + at + length, text: replacement }),
      );
    };
    const spans = fence ? [] : [...text.matchAll(/(`+)([^`]+)\1/g)];
    for (const span of spans) {
      const [whole, ticks = "", code = ""] = span;
      if (/[A-Za-z]{3}/.test(code)) change("name", span.index, whole.length, ticks + misspell(code) + ticks);
    }
    if (fence) {
      for (const word of text.matchAll(/[A-Za-z]{4,}/g))
        change("fence", word.index, word[0].length, misspell(word[0]));
    } else {
      for (const link of text.matchAll(/\[([^\]`]*\.[a-z]{2,4})\]\(([^)\s]+)\)/g)) {
        const caption = link[1] ?? "";
        change("caption", link.index + 1, caption.length, misspell(caption));
      }
    }
    for (const digits of text.matchAll(/(?<![\w.-])\d+(?:[.,_]\d+)*/g)) {
      if (!isIn(digits.index, links(text))) change("number", digits.index, digits[0].length, next(digits[0]));
    }
    for (const word of text.matchAll(numberWord)) {
      const at = words.indexOf(word[0].toLowerCase());
      const other = words[(at + 1) % words.length] ?? "";
      const cased = /^[A-Z]/.test(word[0]) ? `${other.charAt(0).toUpperCase()}${other.slice(1)}` : other;
      if (!fence) change("number word", word.index, word[0].length, cased);
    }
  }
  return found;
}

/** A change for each age or duration that a page shows: minutes become days, seconds become hours. */
export function mutateDurations(page: Page): LineChange[] {
  const found: LineChange[] = [];
  let offset = 0;
  const starts = page.source.split("\n").map((line) => {
    const start = offset;
    offset += line.length + 1;
    return start;
  });
  for (const { text, line } of page.steps
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === "console" ? block.entries : []))
    .flatMap(({ expected }) => expected.lines)) {
    for (const age of text.matchAll(/(?<=^|[\s(])(\d+)(ms|s|m|h)(?=$|[\s)])/g)) {
      const start = (starts[line - 1] ?? 0) + page.source.slice(starts[line - 1]).indexOf(text) + age.index;
      const unit = { ms: "s", s: "h", m: "d", h: "s" }[age[2] ?? ""] ?? "d";
      found.push(
        lineChange(page.source, {
          operator: "duration",
          start,
          end: start + age[0].length,
          text: `${age[1]}${unit}`,
        }),
      );
    }
  }
  return found;
}

const words = [
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "twelve",
  "twenty",
  "thirty",
  "forty",
  "fifty",
  "sixty",
  "ninety",
  "hundred",
  "thousand",
];
const numberWord = new RegExp(`\\b(?:${words.join("|")})\\b`, "gi");

/** Another number of the same shape. */
function next(digits: string): string {
  const last = Number(digits.at(-1));
  return digits.slice(0, -1) + ((last + 1) % 10 === 0 && digits.length === 1 ? 1 : (last + 1) % 10);
}

/** A name that looks right at first sight: two letters in the middle of its longest word change places, or one is dropped. */
function misspell(code: string): string {
  const longest = [...code.matchAll(/[A-Za-z]+/g)].toSorted((a, b) => b[0].length - a[0].length)[0];
  if (!longest) return code;
  const at = longest.index + Math.floor(longest[0].length / 2);
  return code.slice(0, at) + code.slice(at + 1);
}

/** The pieces of a page that are read and not run: prose, tables, captions, folds, and fences without a block. */
function proseOf(page: Page): { start: number; end: number; fence: boolean }[] {
  const lines = page.source.split("\n");
  const front = lines.indexOf("---", 1) + 1;
  const body = lines.slice(front).join("\n");
  const tokens = new MarkdownIt({ html: true }).parse(body, {});
  const run = new Set(blocksOf(page).map(({ line }) => line));
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const range = (from: number, to: number, fence: boolean) => ({
    start: starts[from] ?? 0,
    end: (starts[to] ?? page.source.length + 1) - 1,
    fence,
  });
  return tokens.flatMap((token) => {
    if (!token.map) return [];
    const [from, to] = [token.map[0] + front, token.map[1] + front];
    if (token.type === "inline") return [range(from, to, false)];
    if (token.type !== "fence" || run.has(from + 1)) return [];
    return [range(from + 1, to - 1, true)];
  });
}

/** Where the targets of links stand: the link check looks at those. */
function links(text: string): { from: number; to: number }[] {
  return [...text.matchAll(/\]\(([^)\s]*)\)/g)].map(({ index, 0: whole }) => ({
    from: index,
    to: index + whole.length,
  }));
}

function isIn(at: number, ranges: readonly { from: number; to: number }[]): boolean {
  return ranges.some(({ from, to }) => at >= from && at < to);
}
