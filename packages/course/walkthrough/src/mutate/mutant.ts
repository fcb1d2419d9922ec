import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { blocksOf, type Page } from "../page/page.ts";

/** A mutant breaks a step of a page, a claim of its text, a controller, or a manifest. */
export const mutantClasses = ["step", "text", "code", "manifest"] as const;
export type MutantClass = (typeof mutantClasses)[number];

/**
 * A tutorial with one mistake. If the checks of the tutorial do not detect it, they do not prove that claim.
 */
export interface Mutant {
  readonly class: MutantClass;
  /** The operator that made it: `number`, `drop a call`, `add a rule`. */
  readonly operator: string;
  /** Place and change: `2-the-controller.md:120: 5 ms → 6 ms`. */
  readonly name: string;
  /** New content by path below the tutorial's folder, with forward slashes. */
  readonly changes: ReadonlyMap<string, string>;
}

/** A change of one file. `lines` replace the lines `from` to `to`, which count from 1 and include both. */
export interface LineChange {
  readonly operator: string;
  readonly what: string;
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/**
 * Turns a change of the characters `start` to `end` into a change of whole lines. Removes lines that become
 * blank.
 */
export function lineChange(
  source: string,
  options: { operator: string; start: number; end: number; text: string },
): LineChange {
  const lineStart = source.lastIndexOf("\n", options.start - 1) + 1;
  const newline = source.indexOf("\n", options.end);
  const lineEnd = newline === -1 ? source.length : newline;
  const changed = source.slice(lineStart, options.start) + options.text + source.slice(options.end, lineEnd);
  const before = source.slice(options.start, options.end);
  return {
    operator: options.operator,
    what:
      options.text.trim() === ""
        ? `without ${shorten(before)}`
        : `${shorten(before)} → ${shorten(options.text)}`,
    from: source.slice(0, lineStart).split("\n").length,
    to: source.slice(0, lineEnd).split("\n").length,
    lines: changed.trim() === "" ? [] : changed.split("\n"),
  };
}

function shorten(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

export function applyChange(source: string, change: LineChange): string {
  const lines = source.split("\n");
  lines.splice(change.from - 1, change.to - change.from + 1, ...change.lines);
  return lines.join("\n");
}

/** Reads the numbered pages in the folder of a page: file name → source. */
export function pageSources(page: Page): Map<string, string> {
  const folder = dirname(resolve(page.path));
  const names = readdirSync(folder).filter((name) => /^\d+-.*\.md$/.test(name));
  if (!names.includes(basename(page.path))) names.push(basename(page.path));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/**
 * Copies a change of a committed file to the pages that show it. So the mutant is a mistake of the author,
 * and not a difference between page and project, which the closure check would detect.
 */
export function changePages(
  pages: readonly Page[],
  file: string,
  before: string,
  change: LineChange,
): Map<string, string> {
  const old = before.split("\n").slice(change.from - 1, change.to);
  const changed = new Map<string, string>();
  for (const page of pages) {
    const lines = page.source.split("\n");
    const blocks = blocksOf(page).filter((block) => "file" in block && block.file === file);
    // From the end, so that earlier blocks keep their lines.
    for (const block of blocks.toSorted((a, b) => b.line - a.line)) {
      for (let at = block.endLine - 1 - old.length; at >= block.line; at--) {
        const prefix = block.kind === "edit" ? (/^[ +-]/.exec(lines[at] ?? "")?.[0] ?? "") : "";
        const indent = indentBetween(old[0] ?? "", (lines[at] ?? "").slice(prefix.length));
        const matches = old.every((line, i) => lines[at + i] === prefix + dedent(line, indent));
        if (!matches) continue;
        lines.splice(at, old.length, ...change.lines.map((line) => prefix + dedent(line, indent)));
      }
    }
    // Lines that come or go move the hunks of this file. Without numbers, they still apply.
    const moves = old.length !== change.lines.length && blocks.some(({ kind }) => kind === "edit");
    const source = moves ? withoutNumbers(lines.join("\n")) : lines.join("\n");
    if (source !== page.source) changed.set(basename(page.path), source);
  }
  return changed;
}

/** Returns a page whose diffs have no line numbers. */
export function withoutNumbers(source: string): string {
  return source.replaceAll(/^@@ -\d.*$/gm, "@@");
}

/** Returns how much of a line's indentation a quotation leaves off. */
function indentBetween(line: string, quoted: string): number {
  const width = (text: string): number => text.length - text.trimStart().length;
  return Math.max(0, width(line) - width(quoted));
}

function dedent(line: string, by: number): string {
  return line.slice(0, by).trim() === "" ? line.slice(by) : line;
}
