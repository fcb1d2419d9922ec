import { findLeaks, removeLeftObjects } from "../leaks/leaks.ts";
import { sweep } from "../leaks/processes.ts";
import type { Page } from "../page/page.ts";
import type { AcceptedChange, Difference, Report, Reporter } from "../report/report.ts";
import { closureDifference } from "./closure.ts";
import { toDifference } from "./difference.ts";
import { PageFailure, pageFailures } from "./failure.ts";
import { closeTerminals, stillRunning } from "./page-terminal.ts";
import { checkBeforeSteps, reasonToSkip, takenObjects } from "./preconditions.ts";
import { closeRun, prepareRun, type Run, replayOptions } from "./prepare-run.ts";
import type { RunOptions } from "./run-options.ts";
import { notRun, runSteps, type StepsResult, secondsSince } from "./run-steps.ts";

/**
 * Runs a page strictly: every command, edit and quotation must be as the page says. Resolves with the report,
 * also when the page fails or something breaks during the run. Rejects only when the run cannot begin, for
 * example because the packages do not build. Afterwards the run's processes, ports, cluster and folder
 * (unless `keep`) are removed.
 */
export async function runPage(page: Page, options: RunOptions): Promise<Report> {
  const started = Date.now();
  const provider = options.provider ?? options.cluster?.provider ?? "embedded";
  await sweep(options.parent);
  const { path, frontMatter } = page;
  options.reporter?.pageStarted?.({ path, title: frontMatter.title, provider });
  const start = { page, provider, started, reporter: options.reporter };

  const skipped = reasonToSkip(page, options.cluster);
  if (skipped !== undefined)
    return finish(start, { steps: page.steps.map(notRun), leaks: [], stopped: false, skipped });
  const run = await prepareRun(page, provider, options);
  try {
    const broken = checkBeforeSteps(run);
    const steps = await runSteps(run, broken);
    const difference = steps.difference ?? (await checkAfterSteps(run, steps));
    const leaks = await endPage(run, steps, difference);
    const accepted = writeAccepted(run, steps);
    return finish(start, {
      steps: steps.reports,
      stopped: steps.stopped,
      leaks,
      difference: difference ?? accepted.difference,
      accepted: accepted.changes,
      ...(options.keep && { folder: run.environment.folder }),
    });
  } finally {
    await closeRun(run);
  }
}

/** Checks a page whose steps all passed: its `creates` list, and the project that it leaves. */
async function checkAfterSteps(
  run: Run,
  { stopped, undeclared }: StepsResult,
): Promise<Difference | undefined> {
  const { page, options, environment } = run;
  if (stopped) return undefined;
  if (undeclared.length > 0) {
    const message = `the page is for existing clusters, so its front matter must list what it creates: add \`creates: [${undeclared.join(", ")}]\``;
    return toDifference(page, page.steps[0], [new PageFailure(1, message)], []);
  }
  return options.closure === false
    ? undefined
    : closureDifference(page, environment, replayOptions(environment, options));
}

/** Closes the terminals, and ends and removes what the page left. Returns a line for each leak. */
async function endPage(
  run: Run,
  { stopped, skippedCleanUp }: StepsResult,
  difference: Difference | undefined,
): Promise<string[]> {
  const { limits, options, snapshot } = run;
  const complete = !stopped && difference === undefined;
  const leaks = complete ? stillRunning(run.terminals) : [];
  await closeTerminals(run.terminals);
  await run.vitest[Symbol.asyncDispose]();
  const found = await findLeaks(run.page, run.environment.marker, snapshot, {
    cluster: complete,
    // A page without Clean up had no chance to end what it started.
    interrupted: options.signal?.aborted === true || skippedCleanUp,
    removal: limits.removal,
  });
  leaks.push(...found);
  // The next user of the cluster must not find leftovers.
  if (run.cluster && !run.ownsCluster && takenObjects(run).length === 0) {
    const left = await removeLeftObjects(run.page, snapshot, limits.finalizers);
    leaks.push(...left.filter((leak) => !leaks.includes(leak)));
  }
  return leaks;
}

/** With `accept`: writes the output that differed into the page. */
function writeAccepted(
  { page, acceptance }: Run,
  { stopped }: StepsResult,
): { readonly changes: readonly AcceptedChange[]; readonly difference?: Difference } {
  if (!acceptance || stopped) return { changes: [] };
  try {
    return { changes: acceptance.write() };
  } catch (error) {
    return { changes: [], difference: toDifference(page, page.steps[0], pageFailures(error, 1), []) };
  }
}

type PageResult = Pick<Report, "steps" | "leaks" | "skipped" | "folder"> & {
  readonly stopped: boolean;
  readonly difference?: Difference | undefined;
  readonly accepted?: readonly AcceptedChange[];
};

/** Makes the report, and passes it to the reporter. */
function finish(
  {
    page,
    provider,
    started,
    reporter,
  }: {
    readonly page: Page;
    readonly provider: string;
    /** In milliseconds since the epoch. */
    readonly started: number;
    readonly reporter: Reporter | undefined;
  },
  result: PageResult,
): Report {
  const { steps, leaks, stopped, skipped, difference, accepted = [], folder } = result;
  const report: Report = {
    page: page.path,
    title: page.frontMatter.title,
    provider,
    passed: !difference && leaks.length === 0 && !stopped && skipped === undefined,
    startedAt: new Date(started).toISOString(),
    seconds: secondsSince(started),
    steps,
    leaks,
    ...(skipped !== undefined && { skipped }),
    ...(difference && { difference }),
    ...(accepted.length > 0 && { accepted }),
    ...(folder !== undefined && { folder }),
  };
  reporter?.pageFinished?.(report);
  return report;
}
