import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { parsePage } from "../page/parse.ts";
import type { Report } from "../report/report.ts";
import { type RunOptions, runPage } from "./run-page.ts";

/** Runs pages one after another, each on a cluster of its own unless one is given. Throws PageError before any runs when one is not well formed. */
export async function verifyPages(paths: readonly string[], o: RunOptions): Promise<Report[]> {
  const pages = paths.map((path) => parsePage(readFileSync(path, "utf8"), relative(process.cwd(), path)));
  const reports: Report[] = [];
  for (const page of pages) {
    if (o.signal?.aborted) break;
    reports.push(await runPage(page, o));
  }
  return reports;
}
