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
  /** How many pages run side by side. Default 1. */
  readonly jobs?: number;
  /** Told of every page, or made for each by its path. */
  readonly reporter?: Reporter | ((path: string) => Reporter);
}

/**
 * Runs pages, each on a cluster of its own unless one is given, and resolves with their reports, in the order of the pages; after
 * an abort without those that were not begun. Side by side the longest begin first. Throws PageError before any runs when
 * one is not well formed. When a run cannot begin, the others are stopped, and it rejects as that one did.
 */
export async function verifyPages(
  paths: readonly string[],
  { jobs = 1, reporter, ...o }: VerifyOptions,
): Promise<Report[]> {
  const pages = paths.map((path) => parsePage(readFileSync(path, "utf8"), relative(process.cwd(), path)));
  const inOrder = jobs > 1 ? pages.toSorted((a, b) => lengthOf(b) - lengthOf(a)) : pages;
  const reports = new Map<Page, Report>();
  using shared = createShared(o.parent);
  const projects = pages.length > 1 ? pages.flatMap((page) => projectOf(page, o.root) ?? []) : [];
  // In the turn before that of any page. What goes wrong is told to the page that asks for it.
  const packed = shared.inTurn(() => packAllNeeds(o.root, projects, o.signal)).catch(() => {});
  await sideBySide(inOrder, { jobs, ...(o.signal && { signal: o.signal }) }, async (page, signal) => {
    const own = typeof reporter === "function" ? reporter(page.path) : reporter;
    reports.set(page, await runPage(page, { ...o, signal, shared, ...(own && { reporter: own }) }));
  });
  await packed;
  return pages.flatMap((page) => reports.get(page) ?? []);
}

/** How long a page takes is not known before; how much it does is. */
function lengthOf(page: Page): number {
  const blocks = page.steps.flatMap((step) => step.blocks);
  return blocks.reduce((sum, block) => sum + (block.kind === "console" ? block.entries.length : 1), 0);
}
