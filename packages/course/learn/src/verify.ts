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
  followPage,
  formatJson,
  formatJunit,
  formatOverview,
  hasColors,
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
import { checkRules } from "./page-rules.ts";
import type { PageFile } from "./pages.ts";
import { checkProviderOptions, type ProviderOptions } from "./provider/options.ts";
import { openSharedCluster } from "./provider/shared-cluster.ts";
import { repositoryRoot } from "./repository.ts";
import { checkTexts, formatTextProblems } from "./text.ts";
import { wrappingStream } from "./wrap-lines.ts";

/** The options of the command line. */
export interface VerifyOptions extends ProviderOptions {
  /** File for the reports as JSON. */
  readonly json?: string;
  /** File for the reports as JUnit XML. */
  readonly junit?: string;
  readonly keep?: boolean;
  /** Rewrite expected output that differs. */
  readonly accept?: boolean;
  /** Compare the text of the pages, and run nothing. With `accept`, first accept their texts. */
  readonly text?: boolean;
  /**
   * Number of pages that run side by side. Default: three times the number of cores, with envtest the number
   * of cores, and one on a shared cluster.
   */
  readonly jobs?: number;
  /** Report each step of the first page, and the other pages once it has ended. */
  readonly followFirst?: boolean;
}

/**
 * Runs pages, each on its own cluster (with kind and existing, all on one). Prints progress, differences, and
 * for several pages a table. Writes the requested reports. Compares the texts of the pages first, and runs
 * nothing if one has a problem.
 *
 * Resolves to the exit status: 0 if every page passes that fits the cluster, 1 if not, 130 after Ctrl+C.
 * Throws UserError for a malformed page, or a report in a missing folder, before a page runs. Throws
 * KindError if a kind cluster cannot start.
 */
export async function verify(pages: readonly PageFile[], options: VerifyOptions): Promise<number> {
  checkProviderOptions(options);
  // `accept` changes output that claims read, so the next run checks the text.
  if (options.text || !options.accept) {
    const problems = checkTexts(pages, { root: repositoryRoot, accept: options.accept === true });
    // A draft that breaks a rule may run.
    if (options.text) problems.push(...checkRules(pages));
    if (problems.length > 0) console.log(formatTextProblems(problems));
    if (options.text || problems.length > 0) return problems.length > 0 ? 1 : 0;
  }
  for (const file of [options.json, options.junit]) await mustBeWritable(file);
  // A build takes minutes, so it must not happen within a page.
  if (options.provider === "envtest") {
    await findControlPlane({ controllerManager: true, log: (line) => console.error(line) });
  }
  const { write } = wrappingStream(process.stdout);
  return interruptible(async (signal) => {
    const { keep, accept, provider } = options;
    await using undo = new AsyncDisposableStack();
    const parsed = parseAll(pages);
    const installs = parsed.some(({ frontMatter }) => frontMatter.project !== undefined);
    if (installs && !findPnpm(process.env)) throw new UserError(noPnpm);
    const missing = await whatIsMissing(parsed);
    if (missing !== undefined) write(`warning: ${missing}\n\n`);
    const cluster = await openSharedCluster(pages, parsed, options, signal);
    undo.defer(async () => cluster?.stop());
    const begin = performance.now();
    const run = { keep, accept, provider, ...(cluster && { cluster }) };
    // The next page begins with what this one accepts.
    const jobs = accept || cluster ? 1 : (options.jobs ?? defaultJobs(provider));
    const reports = await runAll(pages, signal, { ...run, jobs, followFirst: options.followFirst });
    if (options.json !== undefined) await writeFile(options.json, formatJson(reports));
    if (options.junit !== undefined) await writeFile(options.junit, formatJunit(reports));
    if (pages.length > 1) {
      const color = hasColors(process.stdout, process.env);
      const seconds = (performance.now() - begin) / 1000;
      const complete = missing === undefined;
      write(`\n${formatOverview(reports, seconds, { color, count: pages.length, complete })}`);
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

/**
 * A page waits more than half of its time: for Leases, for Pods, and to see that nothing happens. A real
 * control plane keeps the cores busy meanwhile.
 */
function defaultJobs(provider: VerifyOptions["provider"]): number {
  return availableParallelism() * (provider === "envtest" ? 1 : 3);
}

interface AllOptions extends Pick<VerifyOptions, "keep" | "accept" | "provider" | "followFirst"> {
  readonly cluster?: Cluster;
  readonly jobs: number;
}

/** Pages that run one at a time report each step. Pages that run side by side report their result. */
async function runAll(
  pages: readonly PageFile[],
  signal: AbortSignal,
  { jobs, followFirst, ...options }: AllOptions,
): Promise<Report[]> {
  if (pages.length === 1 || jobs === 1) return runPages(pages, signal, options);
  const stream = wrappingStream(process.stdout);
  if (!followFirst) {
    const overview = createOverview(stream, pages.length);
    return runPages(pages, signal, { ...options, jobs, reporter: (path) => overview.reporterOf(path) });
  }
  const first = relative(process.cwd(), pages[0]?.path ?? "");
  using overview = followPage(stream, first, pages.length - 1);
  return await runPages(pages, signal, { ...options, jobs, reporter: (path) => overview.reporterOf(path) });
}

/** Runs pages with progress on this terminal. Throws UserError for a malformed page. */
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
    /** Default: prints each step on its own line. */
    readonly reporter?: (path: string) => Reporter;
    beforeStep?(step: Step): Promise<boolean>;
  } = {},
): Promise<Report[]> {
  const paths = pages.map(({ path }) => path);
  const reporter = terminalReporter(wrappingStream(process.stdout), { verbose: options.verbose });
  try {
    return await verifyPages(paths, { root: repositoryRoot, signal, reporter, ...options });
  } catch (error) {
    throw asUserError(error);
  }
}

/** Parses the pages before a cluster starts, which takes time. */
function parseAll(pages: readonly PageFile[]): Page[] {
  try {
    return pages.map(({ path }) => parsePage(readFileSync(path, "utf8"), relative(process.cwd(), path)));
  } catch (error) {
    throw asUserError(error);
  }
}

function asUserError(error: unknown): unknown {
  return error instanceof PageError ? new UserError(error.message) : error;
}

/** Throws UserError for a report in a missing folder before the run, which takes half a minute. */
async function mustBeWritable(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const folder = dirname(resolve(file));
  await access(folder).catch(() => {
    throw new UserError(`${file} cannot be written: there is no folder ${folder}`);
  });
}
