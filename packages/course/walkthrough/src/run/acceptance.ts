import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type MatchOptions, type MatchResult, matchOutput } from "../expect/match.ts";
import { NotRevisableError, type RevisedLine, reviseOutput } from "../expect/revise.ts";
import { noSamples } from "../expect/samples.ts";
import type { Entry, Page } from "../page/page.ts";
import { parsePage } from "../page/parse.ts";
import type { AcceptedChange } from "../report/report.ts";
import type { EntryContext } from "./compare.ts";
import type { PageFailure, Seen } from "./failure.ts";

/** Rewrites expected output to the printed output while the page runs. */
export interface Acceptance {
  /**
   * Takes the printed output, and matches it as the page will. Throws NotRevisableError if the page cannot
   * show it.
   */
  accept(seen: Seen): NonNullable<MatchResult>;
  /**
   * Writes the page in one step if it changed. Returns the changes in the order of the page. Throws an Error
   * if another program changed the page meanwhile.
   */
  write(): AcceptedChange[];
}

/** @param own the run's own folders, which must not appear on a page */
export function createAcceptance(page: Page, own: readonly string[]): Acceptance {
  const source = page.source.split("\n");
  /** Line of the page, from 1 → lines that replace it. */
  const replaced = new Map<number, readonly string[]>();
  const before = entriesOf(page);

  function accept({ entry, lines, options }: Seen): NonNullable<MatchResult> {
    const expected = entry.expected.lines.map(({ text }) => text);
    const foreign = lines.find((line) => own.some((path) => line.includes(path)));
    if (foreign !== undefined) throw new NotRevisableError(`a line names a folder of this run: ${foreign}`);
    const revised = reviseOutput(expected, lines, options);
    const drafts = new Map([...replaced, ...replacements(source, entry, revised)]);
    const result = matchDraft(apply(source, drafts).join("\n"), page, before.indexOf(entry), lines, options);
    for (const [line, texts] of drafts) replaced.set(line, texts);
    return result;
  }

  return {
    accept,
    write() {
      if (replaced.size === 0) return [];
      const path = realpathSync(resolve(page.path));
      const there = readFileSync(path, "utf8");
      if (there.replaceAll("\r\n", "\n") !== page.source)
        throw new Error(`${page.path} was changed while it ran: nothing is accepted, run it again`);
      const text = apply(source, replaced).join(there.includes("\r\n") ? "\r\n" : "\n");
      const draft = `${path}.${process.pid}.draft`;
      try {
        writeFileSync(draft, text, { mode: statSync(path).mode, flag: "wx" });
        renameSync(draft, path);
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      }
      return [...replaced]
        .sort(([a], [b]) => a - b)
        .map(([line, added]) => changeOf(line, source[line - 1] ?? "", added));
    },
  };
}

/** A line that stays, with lines added before or after it, does not count as changed. */
function changeOf(line: number, old: string, added: readonly string[]): AcceptedChange {
  const at = added.indexOf(old);
  return at === -1 ? { line, removed: [old], added } : { line, removed: [], added: added.toSpliced(at, 1) };
}

/** Returns the lines of the page that change. New lines join the line above them, or the first line. */
function replacements(
  source: readonly string[],
  { line, expected }: Entry,
  revised: readonly RevisedLine[],
): Map<number, string[]> {
  const places = expected.lines.map((one) => one.line);
  const marker = source.findIndex((text, i) => i + 1 > line && text.trim().endsWith("(no output)"));
  if (expected.noOutput) places.push(marker + 1);
  const indent = /^[\s>]*/.exec(source[fenceAbove(source, line)] ?? "")?.[0] ?? "";
  const result = new Map(places.map((place): [number, string[]] => [place, []]));
  let current = places[0] ?? line;
  for (const one of revised) {
    if ("keep" in one) {
      current = places[one.keep] ?? current;
      result.get(current)?.push(source[current - 1] ?? "");
    } else {
      current = one.instead === undefined ? current : (places[one.instead] ?? current);
      result.get(current)?.push(indent + one.text);
    }
  }
  // An empty expectation would mean that output is not compared.
  if (revised.length === 0) result.get(current)?.push(`${indent}(no output)`);
  for (const [place, texts] of result) {
    if (texts.length === 1 && texts[0] === source[place - 1]) result.delete(place);
  }
  return result;
}

function fenceAbove(source: readonly string[], line: number): number {
  return source.findLastIndex((text, i) => i < line - 1 && /^[\s>]*(?:`{3,}|~{3,})/.test(text));
}

function apply(source: readonly string[], replaced: ReadonlyMap<number, readonly string[]>): string[] {
  return source.flatMap((text, i) => replaced.get(i + 1) ?? [text]);
}

/** Throws NotRevisableError if the draft would parse as another page, or would not match the output. */
function matchDraft(
  draft: string,
  page: Page,
  index: number,
  seen: readonly string[],
  options: MatchOptions,
): NonNullable<MatchResult> {
  let entries: Entry[];
  try {
    entries = entriesOf(parsePage(draft, page.path));
  } catch (error) {
    throw new NotRevisableError(`a page cannot show this: ${(error as Error).message}`);
  }
  const shape = (all: readonly Entry[]): string =>
    JSON.stringify(all.map(({ kind, text, expected }) => [kind, text, expected.exitStatus]));
  const expected = entries[index]?.expected;
  const texts = expected?.lines.map(({ text }) => text) ?? [];
  const result =
    expected?.noOutput && seen.length === 0
      ? { samples: options.samples, consumed: 0 }
      : matchOutput(texts, seen, options);
  if (!result || shape(entries) !== shape(entriesOf(page)))
    throw new NotRevisableError("a page cannot show this as output");
  return result;
}

function entriesOf(page: Page): Entry[] {
  return page.steps.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === "console" ? block.entries : [])),
  );
}

/**
 * For runs that accept differences. Returns a function that reports whether to stop repeating a command,
 * because its output has stayed the same for a while. Values that change by themselves, such as an age, do
 * not count. A block with its own `timeout=` is repeated until then.
 */
export function createSettling({ block, accepts, limits }: EntryContext): (failure: PageFailure) => boolean {
  let first: readonly string[] = [];
  let since = Number.POSITIVE_INFINITY;
  return ({ seen }) => {
    if (!accepts || !seen || block.options.timeoutMs !== undefined) return false;
    const same = matchOutput(first, seen.lines, { samples: noSamples, unordered: block.options.unordered });
    if (since === Number.POSITIVE_INFINITY || !same) {
      first = seen.lines;
      since = Date.now();
    }
    return Date.now() - since >= limits.settled;
  };
}

/** The same for a process that goes on: reports whether it has printed nothing for a while. */
export function createQuiet({ block, terminal, accepts, limits }: EntryContext): () => boolean {
  let printed = "";
  let since = Date.now();
  return () => {
    if (!accepts || block.options.timeoutMs !== undefined) return false;
    const now = terminal.terminal.lines().join("\n");
    if (now !== printed) since = Date.now();
    printed = now;
    return Date.now() - since >= limits.settled;
  };
}
