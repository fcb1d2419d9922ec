import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import {
  createShared,
  dropEachStep,
  formatReport,
  type Mutation,
  type Page,
  parsePage,
  type Report,
  runPage,
  sideBySide,
} from "@operator-path/walkthrough";
import { interruptible } from "./interruptible.ts";
import { type PageFile, shortPath } from "./pages.ts";
import { repositoryRoot } from "./repository.ts";

/**
 * What a mutant waits for will not come, and it need not wait as long as a page that might be true. So that nothing is
 * noticed for that alone, the page itself has to pass within the same limits, in the midst of its mutants. In milliseconds.
 */
const limits = { repeat: 12_000, output: 12_000, command: 30_000, removal: 12_000 };

export interface MutantsOptions {
  /** How many run side by side. Default: as many as the machine has cores. */
  readonly jobs?: number;
}

/**
 * Runs each page as it is, which must pass, and once for each of its steps that changes something, without that step. Every such
 * run must fail: a step whose absence nobody notices is one that the page does not prove. Resolves to the exit status.
 */
export async function runMutants(
  pages: readonly PageFile[],
  { jobs = availableParallelism() }: MutantsOptions,
): Promise<number> {
  return interruptible(async (outer) => {
    using shared = createShared();
    let survivors = 0;
    let untrue = 0;
    for (const { path } of pages) {
      console.log(shortPath(path, process.cwd()));
      const page = parsePage(await readFile(path, "utf8"), path);
      const mutants: Mutation[] = [{ name: asItIs, page }, ...dropEachStep(page)];
      await sideBySide(mutants, { jobs, signal: outer }, async (mutant, signal) => {
        const report = await run(mutant.page, { signal, shared });
        if (signal.aborted) return;
        if (mutant.page === page) untrue += report.passed ? 0 : 1;
        else survivors += report.passed ? 1 : 0;
        console.log(mutant.page === page ? formatPage(report) : formatMutant(mutant.name, report));
      });
      if (outer.aborted) return 130;
    }
    if (untrue > 0) console.log(`${untrue} pages are not true, and prove nothing of their mutants`);
    const missed =
      survivors === 0 ? "every step is missed when it is gone" : `${survivors} steps are not missed`;
    console.log(missed);
    return survivors === 0 && untrue === 0 ? 0 : 1;
  });
}

const asItIs = "as it is";

function run(
  page: Page,
  o: { signal: AbortSignal; shared: ReturnType<typeof createShared> },
): Promise<Report> {
  return runPage(page, { root: repositoryRoot, ...o, limits, cleanUpAfterDifference: false });
}

function formatPage(report: Report): string {
  const seconds = report.seconds.toFixed(1);
  return report.passed
    ? `  ✓ ${asItIs}: passes  ${seconds} s`
    : `  ✗ ${asItIs}: fails\n${formatReport(report)}`;
}

function formatMutant(name: string, report: Report): string {
  const { difference, seconds } = report;
  if (report.passed) return `  ✗ ${name}: passes all the same`;
  const where = difference
    ? `at line ${difference.line}, step ${difference.step}`
    : "by what it leaves behind";
  return `  ✓ ${name}: noticed ${where}  ${seconds.toFixed(1)} s`;
}
