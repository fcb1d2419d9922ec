import { access, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { findControlPlane } from "@operator-path/tools";
import {
  type ExerciseGuide,
  formatJson,
  formatJunit,
  PageError,
  type Report,
  type Step,
  terminalReporter,
  verifyPages,
} from "@operator-path/walkthrough";
import { interruptible } from "./interruptible.ts";
import type { PageFile } from "./pages.ts";
import { repositoryRoot } from "./repository.ts";

/** As the command line gives them. */
export interface VerifyOptions {
  /** File for the reports as JSON. */
  readonly json?: string;
  /** File for the reports as JUnit XML. */
  readonly junit?: string;
  readonly keep?: boolean;
  /** Rewrite expected output that differs. */
  readonly accept?: boolean;
  /** What the pages run on. Default "embedded". */
  readonly provider?: "embedded" | "envtest";
}

/**
 * Runs the pages one after another, each on a cluster of its own, and writes progress, differences and the reports
 * that were asked for. Resolves to the exit status: 0 when every page is true, 1 when not, 130 after Ctrl+C. Throws
 * UserError for a page that is not well formed, and for a report that could not be written, before anything runs.
 */
export async function verify(pages: readonly PageFile[], options: VerifyOptions): Promise<number> {
  for (const file of [options.json, options.junit]) await mustBeWritable(file);
  // A build takes minutes: it is not to happen in the middle of a page, unseen.
  if (options.provider === "envtest") {
    await findControlPlane({ controllerManager: true, log: (line) => console.error(line) });
  }
  return interruptible(async (signal) => {
    const { keep, accept, provider } = options;
    const reports = await runPages(pages, signal, { keep, accept, provider });
    if (options.json !== undefined) await writeFile(options.json, formatJson(reports));
    if (options.junit !== undefined) await writeFile(options.junit, formatJunit(reports));
    const passed = reports.filter((report) => report.passed).length;
    if (pages.length > 1) console.log(`\n${passed} of ${pages.length} pages passed`);
    return passed === pages.length ? 0 : 1;
  });
}

/** Runs pages with progress on this terminal. Throws UserError for a page that is not well formed. */
export async function runPages(
  pages: readonly PageFile[],
  signal: AbortSignal,
  options: {
    readonly keep?: boolean;
    readonly accept?: boolean;
    readonly provider?: VerifyOptions["provider"];
    readonly verbose?: boolean;
    readonly guide?: ExerciseGuide;
    beforeStep?(step: Step): Promise<boolean>;
  } = {},
): Promise<Report[]> {
  const paths = pages.map(({ path }) => path);
  const reporter = terminalReporter(process.stdout, { verbose: options.verbose });
  try {
    return await verifyPages(paths, { root: repositoryRoot, signal, reporter, ...options });
  } catch (error) {
    throw error instanceof PageError ? new UserError(error.message) : error;
  }
}

/** A run takes half a minute: nobody should learn only afterwards that its report has no folder to go to. */
async function mustBeWritable(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const folder = dirname(resolve(file));
  await access(folder).catch(() => {
    throw new UserError(`${file} cannot be written: there is no folder ${folder}`);
  });
}
