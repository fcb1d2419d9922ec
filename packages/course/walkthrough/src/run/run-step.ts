import { existsSync } from "node:fs";
import type { Cluster } from "@operator-path/cluster";
import type { ExerciseGuide } from "../exercise/guide.ts";
import { runExercise } from "../exercise/run-exercise.ts";
import { pathBelow } from "../files/safe-path.ts";
import type { Block, ConsoleBlock, Page, Step } from "../page/page.ts";
import { openTerminal } from "../terminal/terminal.ts";
import type { Acceptance } from "./acceptance.ts";
import { runConsoleBlock } from "./console-block.ts";
import type { ConsoleContext } from "./console-context.ts";
import { withoutDecoys } from "./decoy/without-decoys.ts";
import { PageFailure, pageFailures, RunStopped } from "./failure.ts";
import { runFileBlock } from "./file-block.ts";
import { defaultLimits } from "./limits.ts";
import { mayRunOperator, mustHaveSeenRest, mustKeepToNamespace, mustRest } from "./oracles.ts";
import { inNamespace } from "./own-namespace.ts";
import { nameOf, type PageTerminal, stopForeground, until } from "./page-terminal.ts";
import type { Run } from "./run.ts";
import type { RunOptions } from "./run-options.ts";
import { quote } from "./shell-command.ts";

/** How long Clean up may take, in milliseconds. An interrupt does not end it. */
const cleanUpLimit = 120_000;

export interface StepOutcome {
  /** One at the most, but in Clean up, which goes on so that as little as possible is left. */
  readonly failures: readonly PageFailure[];
  /** Blocks that were for another provider, with the reason. */
  readonly skipped: readonly string[];
  /** The signal, or a learner, ended the step. */
  readonly aborted: boolean;
}

type StepOptions = Pick<RunOptions, "reporter" | "limits" | "signal" | "guide"> & {
  readonly provider: Cluster["provider"];
  readonly last: boolean;
  readonly page: Page;
  /** Clean up follows, or nothing: the cluster has to rest. */
  readonly restsAfter: boolean;
  readonly acceptance: Acceptance | undefined;
};

/** Runs the blocks of a step. Never rejects: whatever goes wrong is a failure at the line where it did. */
export async function runStep(step: Step, run: Run, o: StepOptions): Promise<StepOutcome> {
  const { cleanUp } = step;
  const signal = cleanUp ? AbortSignal.timeout(cleanUpLimit) : (o.signal ?? new AbortController().signal);
  const context = createContext(run, o, signal, cleanUp);
  const failures: PageFailure[] = [];
  const skipped: string[] = [];
  let aborted = false;

  async function attempt(line: number, work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      const ended = signal.aborted && !(error instanceof PageFailure);
      if (error instanceof RunStopped || (ended && !cleanUp)) aborted = true;
      else if (ended) failures.push(new PageFailure(line, `it did not end within ${cleanUpLimit / 1000} s`));
      else failures.push(...pageFailures(error, line));
    }
  }

  const rest = async (line: number): Promise<void> => {
    if (!run.cluster) return;
    context.doing("waiting until the cluster rests", line);
    await mustRest(o.page, run, { line, limits: context.limits, signal });
  };
  for (const block of step.blocks) {
    const reason = skipReason(block, o.provider);
    if (reason) skipped.push(reason);
    else await attempt(block.line, () => runBlock(block, run, context, guideOf(o)));
    if (!cleanUp && (aborted || failures.length > 0)) break;
    if (!reason && block.kind === "console" && block.options.rests)
      await attempt(block.line, () => rest(block.endLine));
    if (!cleanUp && (aborted || failures.length > 0)) break;
  }
  if (!aborted && failures.length === 0 && o.restsAfter)
    await attempt(step.line, async () => {
      if (!run.cluster || !(await mayRunOperator(run))) return;
      await rest(step.blocks.at(-1)?.endLine ?? step.line);
      mustHaveSeenRest(run, step.line);
    });
  if (!aborted && failures.length === 0) await attempt(step.line, () => mustKeepToNamespace(run, step.line));
  if (!aborted && failures.length === 0 && (cleanUp || o.last))
    await attempt(step.line, () => run.project?.sync(run.environment.learner));
  return { failures, skipped, aborted };
}

/** The guide speaks on the terminal that progress is drawn on. */
function guideOf({ guide, reporter }: StepOptions): ExerciseGuide | undefined {
  return (
    guide && {
      ask(task, results) {
        reporter?.asking?.();
        return guide.ask(task, results);
      },
      ended(task, outcome) {
        reporter?.asking?.();
        return guide.ended(task, outcome);
      },
    }
  );
}

function createContext(run: Run, o: StepOptions, signal: AbortSignal, cleaningUp: boolean): ConsoleContext {
  const limits = { ...defaultLimits(o.provider), ...o.limits };
  return {
    get samples() {
      return run.samples;
    },
    set samples(samples) {
      run.samples = samples;
    },
    terminal: (block) => terminalFor(block, run, { cleaningUp, limits, signal }),
    doing: (what, line) => o.reporter?.doing?.(what, line),
    cleaningUp,
    limits,
    signal,
    acceptance: o.acceptance,
  };
}

async function runBlock(
  block: Block,
  run: Run,
  context: ConsoleContext,
  guide: ExerciseGuide | undefined,
): Promise<void> {
  const { work, learner, env } = run.environment;
  const tutorial = env.TUTORIAL ?? work;
  if (block.kind === "exercise") {
    const { doing, signal, limits } = context;
    const tests = { work, learner, env, signal, timeout: limits.command };
    await runExercise(block, { folders: { work, tutorial }, tests, guide, doing });
    return;
  }
  if (block.kind !== "console") {
    runFileBlock(block, { work, beside: { learner, tutorial }, doing: context.doing });
    return;
  }
  try {
    run.project?.sync(run.environment.learner);
  } catch (error) {
    throw new PageFailure(block.line, (error as Error).message);
  }
  await runConsoleBlock(block, context);
}

async function terminalFor(
  block: ConsoleBlock,
  run: Run,
  { cleaningUp, limits, signal }: Pick<ConsoleContext, "cleaningUp" | "limits" | "signal">,
): Promise<PageTerminal> {
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
      cwd: existsSync(environment.learner) ? environment.learner : environment.work,
      env: environment.env,
      directory: environment.terminals,
    });
    const namespace = run.cluster?.namespace;
    const seen = run.decoy ? withoutDecoys(terminal) : terminal;
    found = {
      terminal: namespace === undefined ? seen : inNamespace(seen, namespace),
      ...{ matched: 0, command: "" },
    };
    terminals.set(name, found);
  }
  const { cwd } = block.options;
  if (cwd !== undefined && found.terminal.running() === undefined) {
    const folder = pathBelow(environment.learner, cwd);
    if (!existsSync(folder)) throw new PageFailure(block.line, `cwd=${cwd}: there is no such folder`);
    await changeFolder(found, folder, { block, limit: block.options.timeoutMs ?? limits.command, signal });
  }
  return found;
}

/** Runs `cd` in a terminal. Throws PageFailure when it fails, or does not end within `limit` milliseconds. */
async function changeFolder(
  t: PageTerminal,
  folder: string,
  {
    block,
    limit,
    signal,
  }: { readonly block: ConsoleBlock; readonly limit: number; readonly signal: AbortSignal },
): Promise<void> {
  const command = `cd ${quote(folder)}`;
  t.terminal.start(command);
  await until(t, Date.now() + limit, signal, () => t.terminal.status() !== undefined);
  const status = t.terminal.status();
  if (status === 0) return;
  if (status === undefined) await stopForeground(t);
  const what = `\`${command}\` in ${nameOf(t)}`;
  const look = "look for a function or alias called cd";
  throw new PageFailure(
    block.line,
    status === undefined
      ? `${what} did not end within ${limit / 1000} s: ${look}, or a folder that does not answer, or give the block more time (timeout=…)`
      : `${what} ended with exit status ${status}: ${look}, and whether you may enter the folder`,
  );
}

function skipReason(block: Block, provider: string): string | undefined {
  const wanted = block.kind === "console" ? block.options.providers : undefined;
  return wanted === undefined || wanted.includes(provider)
    ? undefined
    : `line ${block.line}: only on ${wanted.join(", ")}`;
}
