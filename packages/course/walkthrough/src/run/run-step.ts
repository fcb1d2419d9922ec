import { runExercise } from "../exercise/run-exercise.ts";
import { runFileBlock } from "../files/file-block.ts";
import { mayRunOperator, mustHaveSeenRest, mustKeepToNamespace, mustRest } from "../oracles/oracles.ts";
import type { Block, Step } from "../page/page.ts";
import { runConsoleBlock } from "./console-block.ts";
import { PageFailure, pageFailures, RunStopped } from "./failure.ts";
import type { Run } from "./prepare-run.ts";

/** How long Clean up may take, in milliseconds. An interrupt does not end it. */
const cleanUpLimit = 120_000;

export interface StepResult {
  /** At most one, except in Clean up: it goes on after a failure, to leave as little as possible. */
  readonly failures: readonly PageFailure[];
  /** Why blocks did not run: they are for other providers. */
  readonly skipped: readonly string[];
  /** The signal, or a learner, ended the step. */
  readonly aborted: boolean;
}

/**
 * Runs the blocks of a step, and then checks that the cluster rests and that operators kept to their
 * namespace. Never rejects: an error becomes a failure at its line.
 */
export async function runStep(run: Run, step: Step): Promise<StepResult> {
  const { page, options } = run;
  const { cleanUp } = step;
  const signal = cleanUp
    ? AbortSignal.timeout(cleanUpLimit)
    : (options.signal ?? new AbortController().signal);
  const failures: PageFailure[] = [];
  const skipped: string[] = [];
  let aborted = false;
  const attempt = async (line: number, work: () => Promise<void> | void): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const ended = signal.aborted && !(error instanceof PageFailure);
      if (error instanceof RunStopped || (ended && !cleanUp)) aborted = true;
      else if (ended) failures.push(new PageFailure(line, `it did not end within ${cleanUpLimit / 1000} s`));
      else failures.push(...pageFailures(error, line));
    }
  };
  const isFine = (): boolean => !aborted && failures.length === 0;

  for (const block of step.blocks) {
    if (!cleanUp && !isFine()) break;
    const reason = skipReason(block, run.provider);
    if (reason !== undefined) {
      skipped.push(reason);
      continue;
    }
    await attempt(block.line, () => runBlock(block, run, { cleaningUp: cleanUp, signal }));
    if (block.kind === "console" && block.options.rests && (cleanUp || isFine()))
      await attempt(block.line, () => mustRest(run, block.endLine, signal));
  }

  const next = page.steps[page.steps.indexOf(step) + 1];
  if (isFine() && !cleanUp && (next === undefined || next.cleanUp))
    await attempt(step.line, async () => {
      if (!run.cluster || !(await mayRunOperator(run))) return;
      await mustRest(run, step.blocks.at(-1)?.endLine ?? step.line, signal);
      mustHaveSeenRest(run, step.line);
    });
  if (isFine()) await attempt(step.line, () => mustKeepToNamespace(run, step.line));
  if (isFine() && (cleanUp || next === undefined))
    await attempt(step.line, () => run.project?.sync(run.environment.learner));
  return { failures, skipped, aborted };
}

function skipReason(block: Block, provider: string): string | undefined {
  const wanted = block.kind === "console" ? block.options.providers : undefined;
  return wanted === undefined || wanted.includes(provider)
    ? undefined
    : `line ${block.line}: only on ${wanted.join(", ")}`;
}

async function runBlock(
  block: Block,
  run: Run,
  options: { readonly cleaningUp: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { work, learner, env } = run.environment;
  const { reporter, guide } = run.options;
  const tutorial = env.TUTORIAL ?? work;
  if (block.kind === "exercise") {
    const { signal } = options;
    const tests = { work, learner, env, signal, timeout: run.limits.command, vitest: run.vitest };
    return runExercise(block, { folders: { work, tutorial, checkNumbers: true }, tests, guide, reporter });
  }
  if (block.kind !== "console") {
    if (block.kind === "write" || block.kind === "edit")
      reporter?.doing?.(`${block.kind} ${block.file}`, block.line, block);
    return runFileBlock(block, { work, beside: { learner, tutorial }, checkNumbers: true });
  }
  try {
    run.project?.sync(learner);
  } catch (error) {
    throw new PageFailure(block.line, (error as Error).message);
  }
  return runConsoleBlock(block, run, options);
}
