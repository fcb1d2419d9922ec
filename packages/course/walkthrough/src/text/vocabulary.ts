import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Page } from "../page/page.ts";
import { parsePage } from "../page/parse.ts";
import { listFiles, otherPages, provenText, readTutorial, withoutComments } from "./proven.ts";

/** Returns where a code span occurs as whole tokens. Undefined: in no proven text. */
export type Vocabulary = (span: string) => "page" | "tutorial" | "libraries" | undefined;

/** The sources that several pages share. Each is read at its first use. */
export interface Sources {
  /** Returns the texts of a page's tutorial: its files, and its other pages. */
  tutorial(page: Page): readonly string[];
  /** Returns the source of the sdk packages, without their tests. */
  libraries(): string;
  /** Returns the page of a path, as it is on disk. */
  page(path: string): Page;
}

export function createSources(root: string): Sources {
  const tutorials = new Map<string, readonly string[]>();
  const pages = new Map<string, Page>();
  let libraries: string | undefined;
  return {
    tutorial(page) {
      const key = resolve(page.path);
      const known = tutorials.get(key);
      if (known) return known;
      const { paths, contents, fields } = readTutorial(dirname(key));
      const texts = [paths, contents, fields, ...otherPages(page).map(provenText)];
      tutorials.set(key, texts);
      return texts;
    },
    libraries: () => (libraries ??= readLibraries(root)),
    page(path) {
      const page = pages.get(path) ?? parsePage(readFileSync(path, "utf8"), path);
      pages.set(path, page);
      return page;
    },
  };
}

/** Returns the vocabulary that the text of a page may use. */
export function vocabularyOf(page: Page, sources: Sources): Vocabulary {
  const own = provenText(page);
  return (span) => {
    const pieces = piecesOf(span);
    const isIn = (text: string): boolean => pieces.every((piece) => hasWhole(text, piece));
    if (isIn(own)) return "page";
    if (sources.tutorial(page).some(isIn)) return "tutorial";
    return isIdentifier(span) && isIn(sources.libraries()) ? "libraries" : undefined;
  };
}

interface Piece {
  readonly text: string;
  /** An ellipsis comes before or after the piece, which may be cut within a word there. */
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

/** Splits a span at `…`, which leaves text out. Each piece must occur, and so must each target of `make`. */
function piecesOf(span: string): Piece[] {
  const targets = /^make ((?:[a-z][\w-]*|[A-Z]\w*=…)(?: (?:[a-z][\w-]*|[A-Z]\w*=…))*)$/.exec(span)?.[1];
  if (targets !== undefined) {
    const texts = targets.split(" ").map((target) => `make ${target.replace("…", "")}`);
    return texts.map((text) => ({ text, openStart: false, openEnd: false }));
  }
  const texts = span.split("…");
  const pieces = texts.map((text, i) => ({
    text: text.trim(),
    openStart: i > 0 && !/^\s/.test(text),
    openEnd: i < texts.length - 1 && !/\s$/.test(text),
  }));
  const said = pieces.filter(({ text }) => text !== "");
  return said.length === 0 ? [{ text: span, openStart: false, openEnd: false }] : said;
}

/** Finds whole tokens only: `status.node` is not in `status.nodes`, and `v1.0` not in `v1.0.1`. */
function hasWhole(text: string, { text: wanted, openStart, openEnd }: Piece): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const before = text[at - 1] ?? " ";
    const after = text.slice(at + wanted.length, at + wanted.length + 2);
    const cutsStart = /^[\w-]/.test(wanted) && /[\w-]/.test(before);
    const cutsEnd =
      /\w$/.test(wanted) && (/^[\w-]/.test(after) || (/\d$/.test(wanted) && /^\.\d/.test(after)));
    if ((openStart || !cutsStart) && (openEnd || !cutsEnd)) return true;
  }
  return false;
}

/**
 * Reports whether a span is a name, a chain of names or a call. Commands and values occur in the libraries by
 * chance.
 */
function isIdentifier(span: string): boolean {
  return /^[@A-Za-z_$][\w$/@-]*(?:\.[\w$]+)*(?:\(.*\))?$/.test(span);
}

function readLibraries(root: string): string {
  const sdk = join(root, "packages/sdk");
  const isSource = (path: string): boolean =>
    /^[^/]+\/(?:src\/.*\.ts|package\.json)$/.test(path) && !/\.test\.ts$|\/testing\//.test(path);
  return listFiles(sdk, isSource)
    .map((file) => withoutComments(readFileSync(join(sdk, file), "utf8")))
    .join("\n");
}
