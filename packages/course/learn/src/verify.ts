import { readFileSync } from "node:fs";
import { access, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, relative, resolve } from "node:path";
import type { Cluster } from "@operator-path/cluster";
import { UserError } from "@operator-path/cluster/user-error";
import { findControlPlane } from "@operator-path/tools";
import {
  createOverview,
  type ExerciseGuide,
  findPnpm,
  formatJson,
  formatJunit,
  formatOverview,
  noPnpm,
  type Page,
  PageError,
  parsePage,
  type Report,
  type Reporter,
  type Step,
  terminalReporter,
  verifyPages,
} from "@operator-path/walkthrough";
import { interruptible } from "./interruptible.ts";
import { whatIsMissing } from "./missing-programs.ts";
import type { PageFile } from "./pages.ts";
import { checkProviderOptions, type ProviderOptions } from "./provider/options.ts";
import { openSharedCluster } from "./provider/shared-cluster.ts";
import { repositoryRoot } from "./repository.ts";
import { checkTexts, formatTextProblems } from "./text.ts";

/** As the command line gives them. */
export interface VerifyOptions extends ProviderOptions {
  /** File for the reports as JSON. */
  readonly json?: string;
  /** File for the reports as JUnit XML. */
  readonly junit?: string;
  readonly keep?: boolean;
  /** Rewrite expected output that differs. */
  readonly accept?: boolean;
  /** Compare the text of the pages, and run nothing. With `accept`, first write the hashes of their texts into their claims files. */
  readonly text?: boolean;
  /**
   * How many pages run side by side. Default: as many as the machine has cores, and where everything of theirs runs on those
   * cores, one more; on a cluster that they share one.
   */
  readonly jobs?: number;
  /** The first page runs before the others, and tells each of its steps. */
  readonly firstAlone?: boolean;
}

/**
 * Runs the pages, each on a cluster of its own (kind, existing: all on one), and writes progress, differences and the reports that were asked for; of several
 * pages a table, too. Before that it compares their texts, and runs nothing when one has a problem. Resolves to the exit status: 0 when every page is true that the cluster is fit for, 1 when not, 130 after Ctrl+C. Throws
 * UserError for a page that is not well formed, and for a report that could not be written, before anything runs; KindError
 * when there is no kind cluster to be had.
 */
export async function verify(pages: readonly PageFile[], options: VerifyOptions): Promise<number> {
  checkProviderOptions(options);
  // Accepting changes output that claims read: the text is checked by the next run.
  if (options.text || !options.accept) {
    const problems = checkTexts(pages, { root: repositoryRoot, accept: options.accept === true });
    if (problems.length > 0) console.log(formatTextProblems(problems));
    if (options.text || problems.length > 0) return problems.length > 0 ? 1 : 0;
  }
  for (const file of [options.json, options.junit]) await mustBeWritable(file);
  // A build takes minutes: it is not to happen in the middle of a page, unseen.
  if (options.provider === "envtest") {
    await findControlPlane({ controllerManager: true, log: (line) => console.error(line) });
  }
  return interruptible(async (signal) => {
    const { keep, accept, provider } = options;
    await using undo = new AsyncDisposableStack();
    const parsed = wellFormed(pages);
    const installs = parsed.some(({ frontMatter }) => frontMatter.project !== undefined);
    if (installs && !findPnpm(process.env)) throw new UserError(noPnpm);
    const missing = await whatIsMissing(parsed);
    if (missing !== undefined) console.log(`warning: ${missing}\n`);
    const cluster = await openSharedCluster(pages, parsed, options, signal);
    undo.defer(async () => cluster?.stop());
    const begin = performance.now();
    const run = { keep, accept, provider, ...(cluster && { cluster }) };
    // What is accepted on one page is what the next begins with.
    const jobs = accept || cluster ? 1 : (options.jobs ?? defaultJobs(provider));
    const reports = await runAll(pages, signal, { ...run, jobs, firstAlone: options.firstAlone });
    if (options.json !== undefined) await writeFile(options.json, formatJson(reports));
    if (options.junit !== undefined) await writeFile(options.junit, formatJunit(reports));
    if (pages.length > 1) {
      const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
      const seconds = (performance.now() - begin) / 1000;
      console.log(
        `\n${formatOverview(reports, seconds, { color, count: pages.length, complete: missing === undefined })}`.trimEnd(),
      );
    }
    const fine = reports.every(({ passed, skipped }) => passed || skipped !== undefined);
    return missing === undefined &&
      reports.length === pages.length &&
      fine &&
      reports.some(({ passed }) => passed)
      ? 0
      : 1;
  });
}

/** A page waits for a quarter of its time: for a Lease to be free, a Pod to end. A real control plane keeps the cores busy meanwhile. */
function defaultJobs(provider: VerifyOptions["provider"]): number {
  return availableParallelism() + (provider === "envtest" ? 0 : 1);
}

interface AllOptions extends Pick<VerifyOptions, "keep" | "accept" | "provider" | "firstAlone"> {
  readonly cluster?: Cluster;
  readonly jobs: number;
}

/** One page tells each of its steps, and so does one after another; side by side each tells how it ended. */
async function runAll(
  pages: readonly PageFile[],
  signal: AbortSignal,
  { jobs, firstAlone, ...o }: AllOptions,
): Promise<Report[]> {
  if (pages.length === 1 || jobs === 1) return runPages(pages, signal, o);
  if (!firstAlone) {
    const overview = createOverview(process.stdout, pages.length);
    return runPages(pages, signal, { ...o, jobs, reporter: (path) => overview.reporterOf(path) });
  }
  const [first, ...others] = pages;
  const begun = first ? await runPages([first], signal, o) : [];
  if (signal.aborted) return begun;
  console.log(`\nThe other ${others.length} pages, ${Math.min(jobs, others.length)} at a time:`);
  return [...begun, ...(await runAll(others, signal, { ...o, jobs }))];
}

/** Runs pages with progress on this terminal. Throws UserError for a page that is not well formed. */
export async function runPages(
  pages: readonly PageFile[],
  signal: AbortSignal,
  options: {
    readonly keep?: boolean;
    readonly accept?: boolean;
    readonly provider?: VerifyOptions["provider"];
    readonly cluster?: Cluster;
    readonly verbose?: boolean;
    readonly guide?: ExerciseGuide;
    readonly jobs?: number;
    /** Default: each step on a line of its own. */
    readonly reporter?: (path: string) => Reporter;
    beforeStep?(step: Step): Promise<boolean>;
  } = {},
): Promise<Report[]> {
  const paths = pages.map(({ path }) => path);
  const reporter = terminalReporter(process.stdout, { verbose: options.verbose });
  try {
    return await verifyPages(paths, { root: repositoryRoot, signal, reporter, ...options });
  } catch (error) {
    throw asUserError(error);
  }
}

/** A cluster takes its time to be made, and is not made for a page that cannot run. */
function wellFormed(pages: readonly PageFile[]): Page[] {
  try {
    return pages.map(({ path }) => parsePage(readFileSync(path, "utf8"), relative(process.cwd(), path)));
  } catch (error) {
    throw asUserError(error);
  }
}

function asUserError(error: unknown): unknown {
  return error instanceof PageError ? new UserError(error.message) : error;
}

/** A run takes half a minute: nobody should learn only afterwards that its report has no folder to go to. */
async function mustBeWritable(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const folder = dirname(resolve(file));
  await access(folder).catch(() => {
    throw new UserError(`${file} cannot be written: there is no folder ${folder}`);
  });
}
