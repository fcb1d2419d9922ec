import { undeclaredObjects } from "../leaks/leaks.ts";
import type { Step } from "../page/page.ts";
import type { Difference, StepReport } from "../report/report.ts";
import { alsoFailed, contextOf, toDifference } from "./difference.ts";
import { pageFailures } from "./failure.ts";
import type { Run } from "./prepare-run.ts";
import { runStep } from "./run-step.ts";

/** The result of the steps of a page. */
export interface StepsResult {
  /** One for each step of the page. */
  readonly reports: readonly StepReport[];
  /** The first difference, with what failed after it as context. */
  readonly difference: Difference | undefined;
  /** The signal, or a learner, ended the run. */
  readonly stopped: boolean;
  readonly skippedCleanUp: boolean;
  /** What the page made outside of its namespace and does not list in `creates`, sorted. */
  readonly undeclared: readonly string[];
}

/**
 * Runs the steps of a page in order. After a difference or a stop only Clean up runs, if a step has run before.
 *
 * @param broken a difference that was found before the steps: then no step runs, not even Clean up
 */
export async function runSteps(run: Run, broken: Difference | undefined): Promise<StepsResult> {
  const { page, options } = run;
  const reports: StepReport[] = [];
  const undeclared = new Set<string>();
  let difference = broken;
  let stopped = false;
  let skippedCleanUp = false;
  let anyRan = false;

  for (const [index, step] of page.steps.entries()) {
    stopped ||= options.signal?.aborted ?? false;
    if (!step.cleanUp && !stopped && !difference) {
      const before = await askBeforeStep(run, step);
      stopped = before.stop;
      difference = before.difference;
    }
    const skip = step.cleanUp
      ? (!anyRan && (stopped || difference !== undefined)) || maySkipCleanUp(run, difference)
      : stopped || difference !== undefined;
    if (skip) {
      skippedCleanUp ||= step.cleanUp;
      reports.push(notRun(step));
      continue;
    }
    const { slug, title, line } = step;
    options.reporter?.stepStarted?.({ slug, title, line, index, count: page.steps.length });
    const started = Date.now();
    anyRan = true;
    const { failures, skipped, aborted } = await runStep(run, step);
    stopped ||= aborted;
    // After an interrupt, ignore Clean up's failures: it tries to delete objects that the page had not
    // created yet.
    if (failures.length > 0 && !(step.cleanUp && options.signal?.aborted)) {
      difference = difference
        ? alsoFailed(difference, page, step, failures)
        : toDifference(page, step, failures, await contextOf(run));
    }
    // List the objects before Clean up deletes them. A page creates the same objects on every provider.
    if (
      run.provider === "embedded" &&
      page.frontMatter.providers.includes("existing") &&
      !stopped &&
      !step.cleanUp
    )
      for (const object of await undeclaredObjects(run.snapshot)) undeclared.add(object);
    const status =
      failures.length > 0
        ? "failed"
        : stopped && !step.cleanUp
          ? "not run"
          : skipped.length > 0 && skipped.length === step.blocks.length
            ? "skipped"
            : "passed";
    const report: StepReport = { slug, title, line, status, seconds: secondsSince(started), skipped };
    reports.push(report);
    options.reporter?.stepFinished?.(report);
  }
  return {
    reports,
    difference,
    stopped: stopped || (options.signal?.aborted ?? false),
    skippedCleanUp,
    undeclared: [...undeclared].toSorted(),
  };
}

async function askBeforeStep(
  { page, options }: Run,
  step: Step,
): Promise<{ readonly stop: boolean; readonly difference: Difference | undefined }> {
  try {
    const goOn = (await options.beforeStep?.(step)) ?? true;
    return { stop: !goOn, difference: undefined };
  } catch (error) {
    // An interrupt that ends the question is not a failure.
    const difference = options.signal?.aborted
      ? undefined
      : toDifference(page, step, pageFailures(error, step.line), []);
    return { stop: true, difference };
  }
}

/** Reports whether to skip Clean up: after an interrupt or a difference, if no cluster outlives the run. */
function maySkipCleanUp({ options, ownsCluster, cluster }: Run, difference: Difference | undefined): boolean {
  const inHaste =
    options.signal?.aborted === true ||
    (difference !== undefined && options.cleanUpAfterDifference === false);
  return inHaste && (ownsCluster || cluster === undefined);
}

/** Returns the report of a step that did not run. */
export function notRun({ slug, title, line }: Step): StepReport {
  return { slug, title, line, status: "not run", seconds: 0, skipped: [] };
}

export function secondsSince(started: number): number {
  return Math.round(Date.now() - started) / 1000;
}
