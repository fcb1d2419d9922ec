import { basename, dirname } from "node:path";
import { type ProgramResult, runBash } from "@operator-path/walkthrough";
import { lastStateOf, parseStepName, targetOf } from "../check/check.ts";
import { historyOf } from "../check/history-of.ts";
import type { Work } from "../check/judge.ts";
import { findPlace, type Place } from "../check/place.ts";
import { recordDone } from "../check/record.ts";
import { isSessionCluster } from "../check/session-cluster.ts";
import { leavesFiles, standingAt } from "../check/standing.ts";
import { formatStep, indexOfStep, type NumberedStep, stepsOf } from "../check/steps.ts";
import {
  type CheckOptions,
  compareSession,
  currentStep,
  finishedSteps,
  judgeWork,
  workOf,
} from "../check/where-learner-is.ts";
import {
  type CommandToRun,
  changesToRepeat,
  commandsToRun,
  deletionsToRepeat,
} from "../commands/commands-to-run.ts";
import { endOfStep, type ObjectCommand, objectCommands, readerOf } from "../commands/page-objects.ts";
import { definedOf } from "../test-environment.ts";
import { planOf, writeFiles } from "./write-files.ts";

export interface CatchUpOptions extends CheckOptions {
  /**
   * Leave the files, and only make the objects, up to the step or the last right one. Custom resources that exist
   * stay as they are.
   */
  readonly objects?: boolean;
}

/**
 * `pnpm learn catch-up`: writes the learner's files as the page has them after a step, and makes the page's objects on
 * the session's own cluster. Last, it lists the commands that it leaves to the learner, whose steps do not count as
 * finished, and those that changed the cluster without a file. Keeps own solutions that their tests accept, and saves
 * what else the learner wrote. Without a step, goes up to the step after the last right one or the last finished one.
 * Goes only up to the last right one with `objects`, or if the cluster lacks something of that step. Resolves to the
 * exit status: 1 if a command fails. Throws UserError for a missing folder or step.
 */
export async function catchUp(step: string | undefined, options: CatchUpOptions): Promise<number> {
  const named = parseStepName(step);
  const place = await findPlace(options, named.tutorial);
  const history = await historyOf(place, options);
  const work = await workOf(place, history, options);
  const { say, words, objects = false } = options;
  const chosen = targetOf(named, place, history, work.standing.reached);
  if (objects) {
    const at = chosen ?? (await currentStep(work, undefined, options));
    if (!at) {
      say("No step is complete yet, so there are no objects to make.");
      return 0;
    }
    const { status, changes } = await makeObjects(place, at, options);
    if (status === 0 && isSessionCluster(options.env))
      say(`The cluster has the page's objects up to ${formatStep(at)}.`);
    sayWhatToRun(at, [], [...leftToLearner(at), ...changes], options);
    const steps = stepsOf(place.pages);
    const next = steps[indexOfStep(steps, at) + 1];
    // Nothing shows whether the learner has done a step without files.
    if (!chosen && next?.page === at.page && !next.step.cleanUp && leavesFiles(history, next.step))
      say(`If you were further, name your step, as in ${words.catchUp(`--objects ${next.step.slug}`)}.`);
    say("Your files are unchanged.");
    return status;
  }
  const target = chosen ?? (await nextTarget(work, options));
  const plan = planOf(place, history, lastStateOf(history, target));
  // The shell of a page that makes its project's folder opens beside it.
  const enter = options.cwd === place.work ? [`cd ${basename(place.project)}`] : [];
  const first = [...enter, ...(plan.installs ? ["pnpm install"] : [])];
  const left = leftToLearner(target);
  await writeFiles(place, history, plan, options);
  const { status, changes } = await makeObjects(place, target, options);
  const except = [...new Set(left.map((command) => command.step))];
  if (status === 0) await recordDone(place, target, options, { exactly: true, except });
  const who = left.length > 0 ? "Your files" : "You";
  say(`${who} are at the end of ${formatStep(target)}. ${words.check()} says what comes next.`);
  sayWhatToRun(target, first, [...left, ...changes], options);
  // Objects of a kind that `make deploy` installs, for example.
  if (status !== 0 && left.length > 0)
    say(`After that, ${words.catchUp(`--objects ${target.step.slug}`)} makes the objects that failed above.`);
  return status;
}

/**
 * Returns the step to go up to if none is named: the last finished one, or the step after the last right one if that
 * is later. Goes no further than the last right one, and says so, if the cluster lacks something of it. Clean up is no
 * step to catch up with.
 */
async function nextTarget(work: Work, options: CheckOptions): Promise<NumberedStep> {
  const { place, history, files } = work;
  const steps = stepsOf(place.pages);
  const done = await finishedSteps(place, options);
  const last = steps.findLast(({ step }) => !step.cleanUp && done.includes(step));
  const orLast = (step: NumberedStep): NumberedStep =>
    last && indexOfStep(steps, last) > indexOfStep(steps, step) ? last : step;
  const current = await currentStep(work, undefined, options);
  const first = steps.find(({ step }) => step === history.states[0]?.step) ?? steps[0];
  if (!first) throw new Error("the page has no steps");
  if (!current) return orLast(first);
  const standing = standingAt(history, files, lastStateOf(history, current));
  const { problem } = await judgeWork({ ...work, standing }, options);
  const next = steps[indexOfStep(steps, current) + 1];
  if (problem || !next) return orLast(current);
  const { problem: missing } = await compareSession({ ...work, standing }, undefined, options);
  const target = orLast(missing || next.step.cleanUp ? current : next);
  if (missing && target === current) {
    const further = next.step.cleanUp
      ? ""
      : ` To go further, name a step: ${options.words.catchUp(next.step.slug)}.`;
    options.say(`Your cluster lacks something of ${formatStep(current)}, so this goes no further.${further}`);
  }
  return target;
}

/** Returns the commands up to a step that need a terminal of the learner's. */
function leftToLearner({ page, step }: NumberedStep): CommandToRun[] {
  // Clean up has removed what they make.
  return step.cleanUp ? [] : commandsToRun(page, step);
}

/** Lists the commands that catch-up does not run. Says nothing if there are none. */
function sayWhatToRun(
  { page }: NumberedStep,
  first: readonly string[],
  commands: readonly CommandToRun[],
  { say, words }: CheckOptions,
): void {
  if (first.length + commands.length === 0) return;
  say("Still yours to run, in this order, unless you have run it in this session:");
  for (const command of first) say(`  $ ${command}`);
  for (const { text, terminal, line } of commands.toSorted((a, b) => a.line - b.line))
    say(`  $ ${text.replace(/ *\\?\n.*$/s, " …")}   (${words.place({ page, line })}, terminal ${terminal})`);
  if (commands.some(({ text }) => /^make .*docker-build/.test(text)))
    say("After a build, delete the Pods that found no image (ImagePullBackOff): new ones start at once.");
}

interface MadeObjects {
  /** The exit status: 1 if a command fails. */
  readonly status: number;
  /** The commands that changed the cluster without a file, which are not run again. */
  readonly changes: readonly CommandToRun[];
}

/** Makes the objects that exist after a step. */
async function makeObjects(place: Place, at: NumberedStep, options: CatchUpOptions): Promise<MadeObjects> {
  const { say, words } = options;
  // Clean up deletes the objects of the steps before.
  if (at.step.cleanUp) return { status: 0, changes: [] };
  const commands = objectCommands(at.page, endOfStep(at.page, at.step), {
    ...{ read: readerOf(place.project), tutorial: dirname(at.page.path) },
  });
  if (commands.length > 0 && !isSessionCluster(options.env)) {
    say("No objects were applied: this is not the shell of `pnpm start`, so the cluster may be another one.");
    return { status: 0, changes: [] };
  }
  let status = 0;
  for (const { command, shown, line, get, isChanged, isCustom } of commands) {
    const stays = isChanged || (isCustom && options.objects);
    if (stays && get !== undefined && (await inCluster(get, place, at, options)).status === 0) continue;
    const result = await inCluster(command, place, at, options);
    say(`$ ${shown}   (${words.place({ page: at.page, line })})`);
    for (const text of result.output.trimEnd().split("\n").filter(isOfInterest)) say(`  ${text}`);
    if (result.status !== 0) status = 1;
  }
  return { status, changes: await changesOf(place, at, commands, options) };
}

function inCluster(
  command: string,
  { project }: Place,
  { page }: NumberedStep,
  { env, signal }: CheckOptions,
): Promise<ProgramResult> {
  const variables = { ...definedOf(env), TUTORIAL: dirname(page.path) };
  return runBash(command, { cwd: project, env: variables, signal });
}

/** Leaves out kubectl's warning that `apply` changes an object that the page has created. */
function isOfInterest(line: string): boolean {
  return line !== "" && !/^Warning: .*last-applied-configuration annotation/.test(line);
}

/**
 * Returns the commands that changed the cluster without a file.
 *
 * @param made the commands whose objects exist after the step
 */
async function changesOf(
  place: Place,
  at: NumberedStep,
  made: readonly ObjectCommand[],
  options: CheckOptions,
): Promise<CommandToRun[]> {
  const { page, step } = at;
  if (!isSessionCluster(options.env)) return [];
  const changes = changesToRepeat(page, step);
  for (const deletion of deletionsToRepeat(page, step, made)) {
    const { status, output } = await inCluster(deletion.owners, place, at, options);
    // An operator makes its own objects again.
    if (status === 0 && output.trim() === "") changes.push(deletion);
  }
  return changes;
}
