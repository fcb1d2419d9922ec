import { readFile } from "node:fs/promises";
import { dropEachStep, formatReport, parsePage, runPage } from "@operator-path/walkthrough";
import { interruptible } from "./interruptible.ts";
import { type PageFile, shortPath } from "./pages.ts";
import { repositoryRoot } from "./repository.ts";

/**
 * Runs each page once for each of its steps that changes something, without that step. Every such run must fail: a step
 * whose absence nobody notices is one that the page does not prove. Resolves to the exit status.
 */
export async function runMutants(pages: readonly PageFile[]): Promise<number> {
  return interruptible(async (signal) => {
    let survivors = 0;
    for (const { path } of pages) {
      console.log(shortPath(path, process.cwd()));
      for (const { name, page } of dropEachStep(parsePage(await readFile(path, "utf8"), path))) {
        const report = await runPage(page, { root: repositoryRoot, signal });
        if (signal.aborted) return 130;
        if (report.passed) survivors += 1;
        const where = report.difference
          ? `line ${report.difference.line}, step ${report.difference.step}`
          : "";
        console.log(report.passed ? `  ✗ ${name}: passes all the same` : `  ✓ ${name}: noticed at ${where}`);
        if (!report.passed && !report.difference) console.log(formatReport(report));
      }
    }
    console.log(
      survivors === 0 ? "every step is missed when it is gone" : `${survivors} steps are not missed`,
    );
    return survivors === 0 ? 0 : 1;
  });
}
