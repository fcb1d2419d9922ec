import { dirname, resolve } from "node:path";
import type { Cluster } from "@operator-path/cluster";
import { findMissing } from "../exercise/files.ts";
import type { Page, Step } from "../page/page.ts";
import type { AcceptedChange, Difference, Report, StepReport } from "../report/report.ts";
import { createAcceptance } from "./acceptance.ts";
import { beginRun, replayOptions } from "./begin-run.ts";
import { PageFailure, pageFailures } from "./failure.ts";
import { alsoFailed, closureDifference, contextOf, toDifference } from "./first-difference.ts";
import { defaultLimits } from "./limits.ts";
import { checkLinks } from "./links.ts";
import { missingPrograms } from "./missing-programs.ts";
import { notFit } from "./not-fit.ts";
import { removeFolder } from "./remove-folder.ts";
import type { Run } from "./run.ts";
import type { RunOptions } from "./run-options.ts";
import { runStep } from "./run-step.ts";
import { sweep } from "./sweep.ts";

/**
 * Runs a page, strictly: every command, edit and quotation must be as the page says. Resolves with the report, also
 * when the page fails, or something breaks on the way; rejects only when the run cannot begin (the packages do
 * not build). Afterwards nothing of the run is left: processes, ports, cluster, folder (unless `keep`).
 */
export async function runPage(page: Page, o: RunOptions): Promise<Report> {
  const started = Date.now();
  const provider = o.provider ?? o.cluster?.provider ?? "embedded";
  sweep(o.parent);
  o.reporter?.pageStarted?.({ path: page.path, title: page.frontMatter.title, provider });
  const skipped = lacks(page) ?? notFit(page, o.cluster);
  if (skipped !== undefined) {
    const steps = page.steps.map((step) => notRun(step));
    return finish(page, { provider, started, steps, leaks: [], stopped: false, skipped }, o);
  }
  const run = await beginRun(page, o);
  try {
    const outcome = await runSteps(page, run, o, provider);
    return finish(
      page,
      { provider, started, ...outcome, ...(o.keep && { folder: run.environment.folder }) },
      o,
    );
  } finally {
    await end(run, o);
  }
}

function lacks(page: Page): string | undefined {
  const missing = missingPrograms(page, process.env);
  return missing.length === 0 ? undefined : `it needs ${missing.join(" and ")}, which this machine lacks`;
}

/** Returns a failure for the first exercise whose tests or solution are missing. */
function checkExercises(page: Page): PageFailure | undefined {
  const tutorial = dirname(resolve(page.path));
  for (const block of page.steps.flatMap(({ blocks }) => blocks)) {
    const missing = block.kind === "exercise" ? findMissing(block, tutorial) : undefined;
    if (missing) return missing;
  }
  return undefined;
}

/** A page must not change other people's objects, and its Clean up must not delete them. */
function checkTaken({ ownsCluster, leaks: { taken } }: Run): PageFailure | undefined {
  if (ownsCluster || taken.length === 0) return undefined;
  const some = taken.length > 8 ? [...taken.slice(0, 8), `${taken.length - 8} more`] : taken;
  return new PageFailure(
    1,
    `the cluster has already what would be taken for the page's own, and nothing was touched: ${some.join(", ")}. Delete it, or use another cluster`,
  );
}

async function end(run: Run, o: RunOptions): Promise<void> {
  await closeTerminals(run);
  await run.decoy?.close();
  await run.leaks.close();
  if (run.ownsCluster) await run.cluster?.stop();
  if (!o.keep) await removeFolder(run.environment.folder);
}

async function closeTerminals(run: Run): Promise<void> {
  await Promise.all([...run.terminals.values()].map(({ terminal }) => terminal.close()));
  run.terminals.clear();
}

function notRun({ slug, title, line }: Step): StepReport {
  return { slug, title, line, status: "not run", seconds: 0, skipped: [] };
}

type Outcome = {
  skipped?: string;
  accepted?: readonly AcceptedChange[];
  steps: StepReport[];
  leaks: string[];
  difference?: Difference;
  stopped?: boolean;
};

async function runSteps(
  page: Page,
  run: Run,
  o: RunOptions,
  provider: Cluster["provider"],
): Promise<Outcome> {
  const reports: StepReport[] = [];
  let difference: Difference | undefined;
  let stopped = false;
  let skippedCleanUp = false;
  const undeclared = new Set<string>();
  const acceptance = o.accept ? createAcceptance(page, [run.environment.folder, o.root]) : undefined;
  const taken = checkTaken(run);
  const broken = checkExercises(page) ?? checkLinks(page) ?? taken;
  if (broken) {
    const step = page.steps.findLast(({ line }) => line <= broken.line) ?? page.steps[0];
    difference = toDifference(page, step, [broken], []);
  }

  for (const [index, step] of page.steps.entries()) {
    const base = { slug: step.slug, title: step.title, line: step.line };
    const cleaningUp = step.cleanUp;
    stopped ||= o.signal?.aborted ?? false;
    if (!cleaningUp && !stopped && !difference && o.beforeStep) {
      const asked = o.beforeStep(step).catch((error: unknown) => {
        // A question that an interrupt took away is no failure.
        if (!o.signal?.aborted) difference = toDifference(page, step, pageFailures(error, step.line), []);
        return false;
      });
      stopped = !(await asked);
    }
    // A cluster that ends with the run needs no Clean up after an interrupt; one that stays does.
    const inHaste =
      o.signal?.aborted === true || (difference !== undefined && o.cleanUpAfterDifference === false);
    const skipCleanUp =
      cleaningUp && (broken !== undefined || (inHaste && (run.ownsCluster || run.cluster === undefined)));
    skippedCleanUp ||= skipCleanUp;
    if ((!cleaningUp && (stopped || difference)) || skipCleanUp) {
      reports.push(notRun(step));
      continue;
    }
    o.reporter?.stepStarted?.({ ...base, index, count: page.steps.length });
    const started = Date.now();
    const last = index === page.steps.length - 1;
    const { failures, skipped, aborted } = await runStep(step, run, {
      ...{ ...o, provider, last, acceptance, page },
      restsAfter: !cleaningUp && (last || page.steps[index + 1]?.cleanUp === true),
    });
    stopped ||= aborted;
    // After an interrupt there is much that Clean up does not find, and nothing to learn from that.
    if (failures.length > 0 && !(cleaningUp && o.signal?.aborted)) {
      if (difference) difference = alsoFailed(difference, page, step, failures);
      else difference = toDifference(page, step, failures, await contextOf(run));
    }
    // Checked before Clean up deletes them. What a page makes on the embedded cluster it makes on every other one.
    if (provider === "embedded" && page.frontMatter.providers.includes("existing") && !stopped && !cleaningUp)
      for (const object of await run.leaks.undeclared()) undeclared.add(object);
    const status =
      failures.length > 0
        ? "failed"
        : stopped && !cleaningUp
          ? "not run"
          : allSkipped(step, skipped)
            ? "skipped"
            : "passed";
    const report: StepReport = { ...base, status, seconds: secondsSince(started), skipped };
    reports.push(report);
    o.reporter?.stepFinished?.(report);
  }

  const aborted = o.signal?.aborted ?? false;
  if (undeclared.size > 0 && !difference && !stopped && !aborted) {
    const missing = [...undeclared].toSorted().join(", ");
    const message = `the page is for existing clusters, and its front matter does not say that it makes these: \`creates: [${missing}]\``;
    difference = toDifference(page, page.steps[0], [new PageFailure(1, message)], []);
  }
  if (o.closure !== false && !difference && !stopped && !aborted)
    difference = await closureDifference(page, run, replayOptions(run.environment, o));
  const stillRunning = [...run.terminals.values()].flatMap(({ terminal, command }) =>
    terminal.running() === undefined ? [] : [`terminal ${terminal.name || "main"} still runs \`${command}\``],
  );
  await closeTerminals(run);
  const limits = { ...defaultLimits(provider), ...o.limits };
  const leaks = [
    ...(aborted || stopped || difference ? [] : stillRunning),
    ...(await run.leaks.finish({
      cluster: !aborted && !difference && !stopped,
      // A page that has had no Clean up had no chance to end what it started.
      interrupted: aborted || skippedCleanUp,
      removal: limits.removal,
    })),
  ];
  // The next user of the cluster must not find leftovers.
  if (run.cluster && !run.ownsCluster && !taken)
    leaks.push(...(await run.leaks.clear(limits.finalizers)).filter((leak) => !leaks.includes(leak)));
  let accepted: readonly AcceptedChange[] = [];
  if (acceptance && !stopped && !aborted) {
    try {
      accepted = acceptance.write();
    } catch (error) {
      difference ??= toDifference(page, page.steps[0], pageFailures(error, 1), []);
    }
  }
  return {
    steps: reports,
    leaks,
    stopped: stopped || aborted,
    ...(difference && { difference }),
    ...(accepted.length > 0 && { accepted }),
  };
}

function allSkipped(step: Step, skipped: readonly string[]): boolean {
  return skipped.length > 0 && skipped.length === step.blocks.length;
}

function finish(
  page: Page,
  o: Outcome & { provider: string; started: number; folder?: string },
  options: RunOptions,
): Report {
  const report: Report = {
    page: page.path,
    title: page.frontMatter.title,
    provider: o.provider,
    passed: !o.difference && o.leaks.length === 0 && !o.stopped && o.skipped === undefined,
    startedAt: new Date(o.started).toISOString(),
    seconds: secondsSince(o.started),
    steps: o.steps,
    leaks: o.leaks,
    ...(o.skipped !== undefined && { skipped: o.skipped }),
    ...(o.difference && { difference: o.difference }),
    ...(o.accepted && { accepted: o.accepted }),
    ...(o.folder !== undefined && { folder: o.folder }),
  };
  options.reporter?.pageFinished?.(report);
  return report;
}

function secondsSince(started: number): number {
  return Math.round(Date.now() - started) / 1000;
}
