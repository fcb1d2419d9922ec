import MarkdownIt from "markdown-it";
import { blocksOf, type Page } from "../page/page.ts";
import { type LineChange, lineChange } from "./mutant.ts";

/** A piece of a page that no run checks, by its offsets in the page. */
interface Piece {
  readonly kind: "text" | "fence" | "comment";
  readonly start: number;
  readonly end: number;
}

type Change = (operator: string, at: number, length: number, replacement: string) => void;

/**
 * Returns one change for each claim of a page's text that can be wrong: numbers and their units, code spans
 * and their order, captions, anchors, fences for reading, comments of code, and names in the front matter.
 * Leaves out commands, edits and quotations: a run compares those.
 */
export function mutateText(page: Page): LineChange[] {
  const { source } = page;
  const found: LineChange[] = [];
  const slugs = page.steps.map(({ slug }) => slug);
  for (const { start, end, kind } of piecesOf(page)) {
    const text = source.slice(start, end);
    const change: Change = (operator, at, length, replacement) => {
      found.push(
        lineChange(source, { operator, start: start + at, end: start + at + length, text: replacement }),
      );
    };
    if (kind === "text") {
      changeNames(text, change);
      changeLinks(text, slugs, change);
    }
    if (kind === "fence") changeFence(text, change);
    else changeNumbers(text, kind, change);
  }
  return [...found, ...mutateFrontMatter(page)];
}

function changeNames(text: string, change: Change): void {
  const spans = [...text.matchAll(/(`+)([^`]+)\1/g)];
  for (const { index, 0: whole, 1: ticks = "", 2: code = "" } of spans) {
    if (/[A-Za-z]{3}/.test(code)) change("name", index, whole.length, ticks + misspell(code) + ticks);
  }
  const masked = text.replaceAll(/(`+)([^`]+)\1|\]\([^)\s]*\)|<[^>]*>/g, (whole) => " ".repeat(whole.length));
  const words = [...masked.matchAll(/\b(?:[A-Z]+[a-z]+[A-Z]\w*|[A-Z]{3,})\b/g)];
  for (const { index, 0: word } of words) change("name", index, word.length, misspell(word));
  const links = [...text.matchAll(/\[[^\]]*\]\([^)\s]+\)/g)];
  const names = [...spans.filter(({ index }) => !isIn(index, rangesOf(links))), ...words, ...links];
  swapNeighbours(names, text, change);
}

/** Swaps each match with the next one. */
function swapNeighbours(matches: readonly RegExpExecArray[], text: string, change: Change): void {
  const inOrder = matches.toSorted((a, b) => a.index - b.index);
  for (const [i, { index, 0: one }] of inOrder.entries()) {
    const next = inOrder[i + 1];
    if (!next || next[0] === one || next.index < index + one.length) continue;
    const end = next.index + next[0].length;
    change("swap", index, end - index, next[0] + text.slice(index + one.length, next.index) + one);
  }
}

function changeLinks(text: string, slugs: readonly string[], change: Change): void {
  for (const { index, 1: caption = "" } of text.matchAll(/\[([^\]`]*\.[a-z]{2,4})\]\(([^)\s]+)\)/g))
    change("caption", index + 1, caption.length, misspell(caption));
  for (const { index, 1: slug = "" } of text.matchAll(/(?<=\]\(#)([^)\s]+)(?=\))/g)) {
    const other = slugs.find((one) => one !== slug);
    if (other !== undefined) change("anchor", index, slug.length, other);
  }
}

/** Removes a letter of each word and drawn line, and swaps neighbours on a line. */
function changeFence(text: string, change: Change): void {
  for (const { index, 0: word } of text.matchAll(/\S+/g))
    change("fence", index, word.length, /[A-Za-z]/.test(word) ? misspell(word) : word.slice(1));
  for (const line of text.matchAll(/.+/g)) {
    swapNeighbours([...line[0].matchAll(/\w[^\s│]*/g)], line[0], (operator, at, ...rest) =>
      change(operator, line.index + at, ...rest),
    );
  }
}

function changeNumbers(text: string, kind: Piece["kind"], change: Change): void {
  const targets = rangesOf([...text.matchAll(/\]\(([^)\s]*)\)/g)]);
  for (const { index, 0: digits } of text.matchAll(/(?<![\w.-]|\w:)\d+(?:[.,_]\d+)*/g)) {
    if (isIn(index, targets)) continue;
    change(kind === "text" ? "number" : kind, index, digits.length, next(digits));
    const unit = /^( ?)(ms|s|[KMG]i?B|milliseconds?|seconds?|minutes?|hours?|days?)\b/.exec(
      text.slice(index + digits.length),
    );
    if (unit)
      change("unit", index + digits.length, unit[0].length, (unit[1] ?? "") + otherUnit(unit[2] ?? ""));
  }
  for (const { index, 0: unit } of text.matchAll(/(?<!\bhalf )\b(?:a minute|an hour)\b/g))
    change("unit", index, unit.length, unit === "a minute" ? "an hour" : "a minute");
  for (const { index, 0: word } of text.matchAll(numberWord)) {
    const at = words.indexOf(word.toLowerCase());
    const other = words[(at + 1) % words.length] ?? "";
    const cased = /^[A-Z]/.test(word) ? `${other.charAt(0).toUpperCase()}${other.slice(1)}` : other;
    change(kind === "text" ? "number word" : kind, index, word.length, cased);
    const unit = /^ (seconds?|minutes?|hours?|days?)\b/.exec(text.slice(index + word.length));
    if (unit) change("unit", index + word.length, unit[0].length, ` ${otherUnit(unit[1] ?? "")}`);
  }
}

function otherUnit(unit: string): string {
  const others: Record<string, string> = { ms: "s", s: "ms", seconds: "minutes", second: "minute" };
  if (/B$/.test(unit)) return unit.includes("i") ? unit.replace("i", "") : `${unit.charAt(0)}iB`;
  return others[unit] ?? (unit.endsWith("s") ? "seconds" : "second");
}

/** Removes a program from `requires`, adds another, and misspells the title. */
function mutateFrontMatter({ source, frontMatter }: Page): LineChange[] {
  const replace = (operator: string, pattern: RegExp, text: string): LineChange[] => {
    const match = pattern.exec(source);
    if (!match) return [];
    return [lineChange(source, { operator, start: match.index, end: match.index + match[0].length, text })];
  };
  const { requires, title } = frontMatter;
  const listed = (names: readonly string[]): LineChange[] =>
    replace("requires", /^requires: \[.*\]$/m, `requires: [${names.join(", ")}]`);
  return [
    ...requires.flatMap((name) => listed(requires.filter((one) => one !== name))),
    ...["curl", "helm", "make"]
      .filter((one) => !requires.includes(one))
      .flatMap((one) => listed([...requires, one])),
    ...replace("title", /^title: .*$/m, `title: ${misspell(title)}`),
  ];
}

/**
 * Returns one change for each age or duration in expected output: minutes become days, seconds become hours.
 */
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

/** Returns another number of the same shape. */
function next(digits: string): string {
  const last = Number(digits.at(-1));
  return digits.slice(0, -1) + ((last + 1) % 10 === 0 && digits.length === 1 ? 1 : (last + 1) % 10);
}

/** Drops the middle letter of the longest word, so that the name still looks right at first sight. */
function misspell(code: string): string {
  const longest = [...code.matchAll(/[A-Za-z]+/g)].toSorted((a, b) => b[0].length - a[0].length)[0];
  if (!longest) return code;
  const at = longest.index + Math.floor(longest[0].length / 2);
  return code.slice(0, at) + code.slice(at + 1);
}

/**
 * Returns prose, rows of tables, folds, the summary, fences for reading, and comments in the code of a page.
 */
function piecesOf(page: Page): Piece[] {
  const lines = page.source.split("\n");
  const front = lines.indexOf("---", 1) + 1;
  const body = lines.slice(front).join("\n");
  const tokens = new MarkdownIt({ html: true }).parse(body, {});
  const blocks = new Map(blocksOf(page).map((block) => [block.line, block]));
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const piece = (from: number, to: number, kind: Piece["kind"]): Piece => ({
    start: starts[from] ?? 0,
    end: (starts[to] ?? page.source.length + 1) - 1,
    kind,
  });
  const summary = lines.findIndex((line) => line.startsWith("summary:"));
  const pieces = tokens.flatMap((token): Piece[] => {
    if (!token.map) return [];
    const [from, to] = [token.map[0] + front, token.map[1] + front];
    if (["inline", "tr_open", "html_block"].includes(token.type)) return [piece(from, to, "text")];
    if (token.type !== "fence") return [];
    const block = blocks.get(from + 1);
    if (!block) return [piece(from + 1, to - 1, "fence")];
    if (!["write", "edit", "quotation", "exercise"].includes(block.kind)) return [];
    const at = starts[from + 1] ?? 0;
    const code = page.source.slice(at, starts[to - 1]);
    return [...code.matchAll(/^(?!-).*?(?:\/\*|\/\/ |# )(?!\+).*$|^[ +]?\s*\*(?!\s*\+).*$/gm)].map(
      (match) => {
        const start = at + match.index + Math.max(0, match[0].search(/\/\*|\/\/ |# |\*/));
        return { start, end: at + match.index + match[0].length, kind: "comment" };
      },
    );
  });
  return [...(summary === -1 ? [] : [piece(summary, summary + 1, "text")]), ...pieces];
}

function rangesOf(matches: readonly RegExpExecArray[]): { from: number; to: number }[] {
  return matches.map(({ index, 0: whole }) => ({ from: index, to: index + whole.length }));
}

function isIn(at: number, ranges: readonly { from: number; to: number }[]): boolean {
  return ranges.some(({ from, to }) => at >= from && at < to);
}
