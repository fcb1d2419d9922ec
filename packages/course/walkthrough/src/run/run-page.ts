import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type Cluster, spawnEmbeddedCluster } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import { noSamples } from "../expect/samples.ts";
import { pathBelow } from "../files/safe-path.ts";
import type { Block, ConsoleBlock, Page, Step } from "../page/page.ts";
import { type PreparedProject, prepareProject } from "../project/prepare.ts";
import type { Difference, Report, Reporter, StepReport } from "../report/report.ts";
import { openTerminal } from "../terminal/terminal.ts";
import {
  type ConsoleContext,
  defaultLimits,
  type Limits,
  type PageTerminal,
  runConsoleBlock,
} from "./console-block.ts";
import { createEnvironment, giveKubeconfig, type RunEnvironment } from "./environment.ts";
import { PageFailure } from "./failure.ts";
import { runFileBlock } from "./file-block.ts";
import { closureDifference, contextOf, toDifference } from "./first-difference.ts";
import { type LeakCheck, startLeakCheck } from "./leaks.ts";
import { checkLinks } from "./links.ts";
import { sweep } from "./sweep.ts";

export interface RunOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** Default "embedded". Blocks for another one are skipped, with the reason in the report. */
  readonly provider?: Cluster["provider"];
  /** A cluster that is there already; it is not stopped. Default: an embedded one of this run's own, if the page `requires: [kubectl]`. */
  readonly cluster?: Cluster;
  readonly reporter?: Reporter;
  /** Aborting ends the run: Clean up still runs (where the cluster outlives us), everything is closed, the report says what was reached. */
  readonly signal?: AbortSignal;
  /** Keep the run's folder. Default: it is removed. */
  readonly keep?: boolean;
  /** Shorter or longer limits than the usual, in milliseconds: mutations need not wait 30 s for what will not come. */
  readonly limits?: Partial<Limits>;
  /** Compare the learner's folder with the committed project at the end. Default true. */
  readonly closure?: boolean;
  /** Where run folders are made. Default: the system's folder for temporary files. */
  readonly parent?: string;
  /** Asked before each step but Clean up; false ends the run there. */
  beforeStep?(step: Step): Promise<boolean>;
}

/**
 * Runs a page, strictly: every command, edit and quotation must be as the page says. Resolves with the report, also
 * when the page fails; rejects only when the run cannot begin (a program that the page requires is missing, the
 * packages do not build). Afterwards nothing of the run is left: processes, ports, cluster, folder (unless `keep`).
 */
export async function runPage(page: Page, o: RunOptions): Promise<Report> {
  const started = Date.now();
  const provider = o.provider ?? "embedded";
  sweep(o.parent);
  o.reporter?.pageStarted?.({ path: page.path, title: page.frontMatter.title, provider });
  const run = await begin(page, o);
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

/** A run between its beginning and its end. */
export interface Run {
  readonly environment: RunEnvironment;
  readonly cluster: Cluster | undefined;
  readonly ownsCluster: boolean;
  readonly project: PreparedProject | undefined;
  readonly terminals: Map<string, PageTerminal>;
  readonly leaks: LeakCheck;
}

async function begin(page: Page, o: RunOptions): Promise<Run> {
  const { frontMatter } = page;
  const tutorial = dirname(resolve(page.path));
  const tools = new Map<string, string>();
  for (const name of frontMatter.requires) {
    if (name === "kubectl" || name === "helm") tools.set(name, (await findTool(name)).path);
  }
  if (frontMatter.start !== "empty")
    throw new Error(`${page.path}: start: ${frontMatter.start} is not supported yet, only empty`);
  const wantsCluster = frontMatter.requires.includes("kubectl");
  const ownsCluster = wantsCluster && o.cluster === undefined;
  const environment = createEnvironment({
    tools,
    requires: frontMatter.requires,
    variables: { TUTORIAL: tutorial },
    ...(o.parent !== undefined && { parent: o.parent }),
    ...(frontMatter.project !== undefined && { project: frontMatter.project }),
  });
  const startCluster = async (): Promise<Cluster | undefined> => {
    if (!ownsCluster) return o.cluster;
    const directory = join(environment.folder, "cluster");
    mkdirSync(directory);
    return spawnEmbeddedCluster({ name: "walkthrough", directory });
  };
  const committed = frontMatter.project && relative(o.root, join(tutorial, frontMatter.project));
  const preparing =
    committed === undefined
      ? undefined
      : prepareProject({
          root: o.root,
          project: committed,
          packages: join(environment.folder, "packages"),
          ...(o.signal && { signal: o.signal }),
        });
  const [started, prepared] = await Promise.allSettled([startCluster(), preparing]);
  const cluster = started.status === "fulfilled" ? started.value : undefined;
  try {
    if (started.status === "rejected") throw started.reason;
    if (prepared.status === "rejected") throw prepared.reason;
    if (cluster) giveKubeconfig(environment, cluster.kubeconfigPath);
    const leaks = await startLeakCheck(page, environment, cluster);
    return { environment, cluster, ownsCluster, project: prepared.value, terminals: new Map(), leaks };
  } catch (error) {
    if (ownsCluster) await cluster?.stop();
    rmSync(environment.folder, { recursive: true, force: true });
    throw error;
  }
}

async function end(run: Run, o: RunOptions): Promise<void> {
  await closeTerminals(run);
  if (run.ownsCluster) await run.cluster?.stop();
  if (!o.keep) rmSync(run.environment.folder, { recursive: true, force: true, maxRetries: 3 });
}

async function closeTerminals(run: Run): Promise<void> {
  await Promise.all([...run.terminals.values()].map(({ terminal }) => terminal.close()));
  run.terminals.clear();
}

type Outcome = { steps: StepReport[]; leaks: string[]; difference?: Difference; stopped?: boolean };

async function runSteps(page: Page, run: Run, o: RunOptions, provider: string): Promise<Outcome> {
  const reports: StepReport[] = [];
  let difference: Difference | undefined;
  let stopped = false;
  const broken = checkLinks(page);
  if (broken) difference = toDifference(page, page.steps[0], broken, []);

  for (const [index, step] of page.steps.entries()) {
    const base = { slug: step.slug, title: step.title, line: step.line };
    const cleaningUp = step.cleanUp;
    stopped ||= o.signal?.aborted ?? false;
    if (!cleaningUp && !stopped && !difference && o.beforeStep) stopped = !(await o.beforeStep(step));
    // A cluster that ends with the run needs no Clean up after an interrupt; one that stays does.
    const skipCleanUp =
      cleaningUp && (broken || (o.signal?.aborted && (run.ownsCluster || run.cluster === undefined)));
    if ((!cleaningUp && (stopped || difference)) || skipCleanUp) {
      reports.push({ ...base, status: "not run", seconds: 0, skipped: [] });
      continue;
    }
    o.reporter?.stepStarted?.({ ...base, index, count: page.steps.length });
    const started = Date.now();
    const skipped: string[] = [];
    const errors: unknown[] = [];
    let failure: Difference | undefined;
    const signal = cleaningUp ? AbortSignal.timeout(120_000) : (o.signal ?? new AbortController().signal);
    const context = createContext(run, o, signal, cleaningUp);
    try {
      for (const block of step.blocks) {
        const reason = skipReason(block, provider);
        if (reason) skipped.push(reason);
        else if (cleaningUp)
          await runBlock(block, run, context).catch((error: unknown) => errors.push(error));
        else await runBlock(block, run, context);
      }
      if (errors.length > 0) throw errors[0];
      if (cleaningUp || index === page.steps.length - 1) run.project?.sync(run.environment.learner);
    } catch (error) {
      if (!(error instanceof PageFailure)) {
        if (!signal.aborted) throw error;
        stopped = true;
      } else failure = toDifference(page, step, error, await contextOf(run));
    }
    difference ??= failure;
    const status = failure
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
  if (o.closure !== false && !difference && !stopped && !aborted) difference = closureDifference(page, run);
  const stillRunning = [...run.terminals.values()].flatMap(({ terminal, command }) =>
    terminal.running() === undefined ? [] : [`terminal ${terminal.name || "main"} still runs \`${command}\``],
  );
  await closeTerminals(run);
  const leaks = [
    ...(aborted || stopped || difference ? [] : stillRunning),
    ...(await run.leaks.finish({ cluster: !aborted && !difference && !stopped, interrupted: aborted })),
  ];
  return { steps: reports, leaks, stopped: stopped || aborted, ...(difference && { difference }) };
}

function createContext(run: Run, o: RunOptions, signal: AbortSignal, cleaningUp: boolean): ConsoleContext {
  return {
    get samples() {
      return samplesOf.get(run) ?? noSamples;
    },
    set samples(samples) {
      samplesOf.set(run, samples);
    },
    terminal: (block) => terminalFor(block, run, cleaningUp),
    doing: (what, line) => o.reporter?.doing?.(what, line),
    cleaningUp,
    limits: { ...defaultLimits, ...o.limits },
    signal,
  };
}
const samplesOf = new WeakMap<Run, ConsoleContext["samples"]>();

async function runBlock(block: Block, run: Run, context: ConsoleContext): Promise<void> {
  if (block.kind !== "console") {
    runFileBlock(block, { work: run.environment.work, doing: context.doing });
    return;
  }
  try {
    run.project?.sync(run.environment.learner);
  } catch (error) {
    throw new PageFailure(block.line, (error as Error).message);
  }
  await runConsoleBlock(block, context);
}

async function terminalFor(block: ConsoleBlock, run: Run, cleaningUp: boolean): Promise<PageTerminal> {
  const { environment, terminals } = run;
  const name = block.options.terminal;
  let found = terminals.get(name);
  // After a failure something may still hold the terminal: Clean up gets a new one.
  if (cleaningUp && found?.terminal.running() !== undefined && block.entries[0]?.kind === "command") {
    await found.terminal.close();
    found = undefined;
  }
  if (!found) {
    const terminal = await openTerminal({
      name,
      cwd: environment.learner,
      env: environment.env,
      directory: environment.terminals,
    });
    found = { terminal, matched: 0, command: "" };
    terminals.set(name, found);
  }
  const { cwd } = block.options;
  if (cwd !== undefined && found.terminal.running() === undefined) {
    const folder = pathBelow(environment.learner, cwd);
    if (!existsSync(folder)) throw new PageFailure(block.line, `cwd=${cwd}: there is no such folder`);
    found.terminal.start(`cd '${folder.replaceAll("'", "'\\''")}'`);
    while (found.terminal.status() === undefined) await found.terminal.changed(1000);
  }
  return found;
}

function skipReason(block: Block, provider: string): string | undefined {
  const wanted = block.kind === "console" ? block.options.provider : undefined;
  return wanted === undefined || wanted === provider ? undefined : `line ${block.line}: only on ${wanted}`;
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
    passed: !o.difference && o.leaks.length === 0 && !o.stopped,
    startedAt: new Date(o.started).toISOString(),
    seconds: secondsSince(o.started),
    steps: o.steps,
    leaks: o.leaks,
    ...(o.difference && { difference: o.difference }),
    ...(o.folder !== undefined && { folder: o.folder }),
  };
  options.reporter?.pageFinished?.(report);
  return report;
}

function secondsSince(started: number): number {
  return Math.round(Date.now() - started) / 1000;
}
