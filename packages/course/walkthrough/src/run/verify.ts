import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Page } from "../page/page.ts";
import { parsePage } from "../page/parse.ts";
import { projectOf } from "../project/page-chain.ts";
import { packAllNeeds } from "../project/prepare.ts";
import type { Report, Reporter } from "../report/report.ts";
import type { RunOptions } from "./run-options.ts";
import { runPage } from "./run-page.ts";
import { createShared } from "./shared.ts";
import { sideBySide } from "./side-by-side.ts";

export interface VerifyOptions extends Omit<RunOptions, "shared" | "reporter"> {
  /** Number of pages that run side by side. Default 1. */
  readonly jobs?: number;
  /** The reporter of all pages, or a function that makes one for the path of a page. */
  readonly reporter?: Reporter | ((path: string) => Reporter);
}

/**
 * Runs pages, each on its own cluster unless one is given. Resolves with their reports in the order of the
 * pages. After an abort, pages that did not begin have no report. Side by side, the first page begins first,
 * and then the longest ones. Throws PageError for a malformed page before any page runs. If a run cannot
 * begin, the others stop, and the call rejects with its error.
 */
export async function verifyPages(
  paths: readonly string[],
  { jobs = 1, reporter, ...options }: VerifyOptions,
): Promise<Report[]> {
  const pages = paths.map((path) => parsePage(readFileSync(path, "utf8"), relative(process.cwd(), path)));
  const inOrder = jobs > 1 ? startOrder(pages) : pages;
  const reports = new Map<Page, Report>();
  using shared = createShared(options.parent);
  const projects = pages.length > 1 ? pages.flatMap((page) => projectOf(page, options.root) ?? []) : [];
  // Before the turn of any page. The page that needs a package reports the error.
  const packed = shared.inTurn(() => packAllNeeds(options.root, projects, options.signal)).catch(() => {});
  await sideBySide(
    inOrder,
    { jobs, ...(options.signal && { signal: options.signal }) },
    async (page, signal) => {
      const own = typeof reporter === "function" ? reporter(page.path) : reporter;
      reports.set(page, await runPage(page, { ...options, signal, shared, ...(own && { reporter: own }) }));
    },
  );
  await packed;
  return pages.flatMap((page) => reports.get(page) ?? []);
}

/** Returns the pages in the order in which they begin side by side. */
function startOrder([first, ...others]: readonly Page[]): Page[] {
  const sorted = others.toSorted((a, b) => minutesOf(b) - minutesOf(a) || lengthOf(b) - lengthOf(a));
  return [...(first ? [first] : []), ...sorted];
}

/** A reader's minutes say most about the run's: they include exercises, and waiting for an operator. */
function minutesOf({ frontMatter }: Page): number {
  return frontMatter.minutes ?? 0;
}

/** Returns the number of commands and files of a page. */
function lengthOf(page: Page): number {
  const blocks = page.steps.flatMap((step) => step.blocks);
  return blocks.reduce((sum, block) => sum + (block.kind === "console" ? block.entries.length : 1), 0);
}
