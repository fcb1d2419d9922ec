import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { type Block, blocksOf, type Page } from "../page/page.ts";
import { type Operand, type Source, unitMs } from "./claims.ts";
import { numberIn } from "./numbers.ts";
import { listFiles, provenText } from "./proven.ts";
import { type Structure, structuresOf } from "./structures.ts";
import type { Sources } from "./vocabulary.ts";

/** The value of a source: its text, and milliseconds if the source has a unit. */
export interface Value {
  readonly text: string;
  readonly ms?: number;
}

/** A source has no value. The message says which, and why. */
export class SourceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SourceError";
  }
}

/** The place of a claim's words, for sources such as `next block` and `text`. */
export interface ClaimPlace {
  readonly page: Page;
  readonly line: number;
  /** The paragraph, cell or heading. */
  readonly text: string;
  readonly sources: Sources;
}

/**
 * Returns the values of a source. Throws SourceError for a missing file, no match, or matches that differ.
 */
export function evaluate(source: Source, here: ClaimPlace): Value[] {
  const texts = valuesOf(source, here);
  const { unit } = source;
  return texts.map((text) => ({
    text,
    ...(unit !== undefined && { ms: numberOf(text) * unitMs[unit] }),
  }));
}

function valuesOf(source: Source, here: ClaimPlace): string[] {
  const { sum, difference, product, quotient } = source;
  const compute = (operands: readonly Operand[], of: (a: number, b: number) => number): string[] => {
    const numbers = operands.map((one) =>
      typeof one === "number" ? one : numberOf(valuesOf(one, here)[0] ?? ""),
    );
    return [String(numbers.reduce(of))];
  };
  if (sum) return compute(sum, (a, b) => a + b);
  if (difference) return compute(difference, (a, b) => a - b);
  if (product) return compute(product, (a, b) => a * b);
  if (quotient) return compute(quotient, (a, b) => a / b);
  const place = linesOf(findPlace(source.in, here), source);
  if (source.number) return [numberInName(place, source.number)];
  if (source.count !== undefined) return [String(countOf(place, source.count))];
  if (source.at !== undefined) return [valueAt(place, source.at)];
  return matchesOf(place, source.match ?? "");
}

interface Place {
  /** For messages. */
  readonly name: string;
  readonly text: string;
  /** Path of the page, if the place is one. */
  readonly path?: string;
  readonly blocks?: readonly Block[];
  readonly structure?: Structure;
  readonly folder?: string;
}

function findPlace(name: string | undefined, { page, line, text: own, sources }: ClaimPlace): Place {
  if (name === "text") return { name, text: own };
  if (name === undefined) return placeOfPage(page, undefined, "the page");
  const near = /^(next|previous) (block|list|table)$/.exec(name);
  if (near) return placeNear(page, line, near[1] === "next", near[2] ?? "", name);
  const [file = "", step] = name.split("#");
  const path = file === "" ? page.path : join(dirname(page.path), file);
  if (resolve(path) === resolve(page.path)) return placeOfPage(page, step, name);
  if (!existsSync(path)) throw new SourceError(`there is no file ${path}`);
  if (statSync(path).isDirectory()) return { name, text: "", folder: path };
  return /^\d+-.*\.md$/.test(basename(path))
    ? placeOfPage(sources.page(path), step, name)
    : { name, text: readFileSync(path, "utf8") };
}

function placeOfPage(page: Page, slug: string | undefined, name: string): Place {
  const step = page.steps.find((one) => one.slug === slug);
  if (slug !== undefined && !step) throw new SourceError(`${page.path} has no step ${slug}`);
  const part = step ? { ...page, steps: [step] } : page;
  return { name, text: provenText(part), path: page.path, blocks: blocksOf(part) };
}

function placeNear(page: Page, line: number, next: boolean, what: string, name: string): Place {
  const none = new SourceError(`there is no ${name} of line ${line}`);
  if (what === "block") {
    const blocks = blocksOf(page).toSorted((a, b) => a.line - b.line);
    const block = next ? blocks.find((one) => one.line > line) : blocks.findLast((one) => one.endLine < line);
    if (!block) throw none;
    const text = page.source
      .split("\n")
      .slice(block.line, block.endLine - 1)
      .join("\n");
    return { name, text, blocks: [block] };
  }
  const all = structuresOf(page).filter(({ kind }) => kind === what);
  const structure = next ? all.find((one) => one.line > line) : all.findLast((one) => one.line < line);
  if (!structure) throw none;
  return { name, text: "", structure };
}

/** Keeps the lines from `from` to `to`, including both. */
function linesOf(place: Place, { from, to }: Source): Place {
  const lines = place.text.split("\n");
  const start = from === undefined ? 0 : lines.findIndex((line) => new RegExp(from).test(line));
  if (start === -1) throw new SourceError(`${place.name} has no line that matches ${from}`);
  const end =
    to === undefined
      ? lines.length - 1
      : lines.findIndex((line, i) => i > start && new RegExp(to).test(line));
  if (end === -1) throw new SourceError(`${place.name} has no line that matches ${to}`);
  return { ...place, text: lines.slice(start, end + 1).join("\n") };
}

function countOf({ name, text, blocks, structure, folder }: Place, what: string): number {
  if (what === "rows" || what === "items") {
    if (!structure) throw new SourceError(`${name} has no ${what}: write in: next table, or next list`);
    return structure.count;
  }
  if (what === "files") {
    if (folder === undefined) throw new SourceError(`${name} is not a folder`);
    return listFiles(folder).length;
  }
  if (what === "lines") return text.trimEnd().split("\n").length;
  const consoles = (blocks ?? []).filter((block) => block.kind === "console");
  if (what === "commands") {
    return consoles.flatMap(({ entries }) => entries).filter(({ kind }) => kind === "command").length;
  }
  if (what === "terminals") return new Set(consoles.map(({ options }) => options.terminal)).size;
  return [...text.matchAll(new RegExp(what, "gm"))].length;
}

function matchesOf({ name, text }: Place, pattern: string): string[] {
  const matches = [...text.matchAll(new RegExp(pattern, "gm"))].map((match) => match.slice(1));
  const [first, ...rest] = matches;
  if (!first) throw new SourceError(`nothing in ${name} matches ${pattern}`);
  const other = rest.find((groups) => groups.join("\n") !== first.join("\n"));
  if (other) {
    throw new SourceError(
      `${name} has ${first.join(" ")} and ${other.join(" ")} for ${pattern}: match more of the line`,
    );
  }
  return first;
}

function valueAt({ name, text }: Place, path: string): string {
  const value = path
    .split(".")
    .reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), parse(text));
  if (value === undefined || isRecord(value)) throw new SourceError(`${name} has no value at ${path}`);
  return String(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function numberInName({ name, path }: Place, of: "page" | "tutorial"): string {
  const file = path === undefined ? "" : basename(of === "page" ? path : dirname(resolve(path)));
  const number = /^0*(\d+)-/.exec(file)?.[1];
  if (number === undefined) throw new SourceError(`${name} is not a page with a number in its name`);
  return number;
}

function numberOf(text: string): number {
  const value = numberIn(text);
  if (value === undefined || Number.isNaN(value)) throw new SourceError(`"${text}" is not a number`);
  return value;
}
