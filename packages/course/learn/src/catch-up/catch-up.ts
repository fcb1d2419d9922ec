import { dirname } from "node:path";
import { type ProjectHistory, runProgram, type Step } from "@operator-path/walkthrough";
import { formatStep, lastStateOf, parseStepName, targetOf } from "../check/check.ts";
import type { Work } from "../check/judge.ts";
import { findPlace, type Place, readProject } from "../check/place.ts";
import { recordDone } from "../check/record.ts";
import { isSessionCluster } from "../check/session-cluster.ts";
import { standingAt, standingOf } from "../check/standing.ts";
import { indexOfStep, type NumberedStep, stepsOf } from "../check/steps.ts";
import {
  type CheckOptions,
  currentStep,
  historyOf,
  judgeWork,
  lastSolved,
} from "../check/where-learner-is.ts";
import { readFinished, stepStates } from "../finished-steps.ts";
import { pageNames } from "../pages.ts";
import { definedOf } from "../test-environment.ts";
import { changesToRepeat, commandsToRun } from "./commands-to-run.ts";
import { endOfStep, objectCommands, readerOf } from "./page-objects.ts";
import { planOf, writeFiles } from "./write-files.ts";

export interface CatchUpOptions extends CheckOptions {
  /** Leave the files, and only make the objects, up to the step or the last right one. */
  readonly objects?: boolean;
}

/**
 * `pnpm learn catch-up`: writes the learner's files as the page has them after a step, and makes the page's
 * objects on the session's own cluster. First lists the page's commands that it leaves to the learner; their steps
 * do not count as finished. Last, it lists commands that changed the cluster in another way. Keeps own solutions
 * that their tests accept, and saves what else the learner wrote. Without a step, goes up to the step after the
 * last right one or the last finished one, or with `objects` up to
 * the last right one. Resolves to the exit status: 1 if a command fails. Throws UserError for a missing folder or
 * step.
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
    sayWhatToRun(at, [], options);
    const status = await makeObjects(place, at, options);
    sayWhatIsNotRepeated(at, options);
    if (status === 0 && isSessionCluster(options.env))
      say(`The cluster has the page's objects up to ${formatStep(at)}.`);
    say("Your files are unchanged.");
    return status;
  }
  const target = chosen ?? (await orLastFinished(await nextTarget(work, options), place, options));
  const plan = planOf(place, history, lastStateOf(history, target));
  const left = sayWhatToRun(target, plan.installs ? ["pnpm install"] : [], options);
  await writeFiles(place, history, plan, options);
  const status = await makeObjects(place, target, options);
  sayWhatIsNotRepeated(target, options);
  if (status === 0) await recordDone(place, target, options, { exactly: true, except: left });
  if (left.length === 0)
    say(`You are at the end of ${formatStep(target)}. ${words.check()} says what comes next.`);
  else {
    const titles = left.map(({ title }) => `"${title}"`).join(", ");
    say(
      `Your files are at the end of ${formatStep(target)}. These steps are not finished until you run the commands above: ${titles}.`,
    );
  }
  return status;
}

/** Returns the last finished step, if it is later than another. */
async function orLastFinished(
  next: NumberedStep,
  { pages }: Place,
  { root, workshops }: CheckOptions,
): Promise<NumberedStep> {
  const [{ finished }, names] = await Promise.all([readFinished(workshops), pageNames(root)]);
  const done = pages
    .flatMap((page) => stepStates(page, names.get(page.path) ?? "", finished))
    .flatMap((state) => (state.finished ? state.step : []));
  const steps = stepsOf(pages);
  const last = steps.findLast(({ step }) => done.includes(step));
  return last && indexOfStep(steps, last) > indexOfStep(steps, next) ? last : next;
}

/** Returns the step after the last right one. */
async function nextTarget(work: Work, options: CheckOptions): Promise<NumberedStep> {
  const { place, history, files } = work;
  const steps = stepsOf(place.pages);
  const [first] = steps;
  if (!first) throw new Error("the page has no steps");
  const current = await currentStep(work, undefined, options);
  if (!current) return steps.find(({ step }) => step === history.states[0]?.step) ?? first;
  const standing = standingAt(history, files, lastStateOf(history, current));
  const { problem } = await judgeWork({ ...work, standing }, options);
  const next = steps[indexOfStep(steps, current) + 1];
  return problem || !next || next.step.cleanUp ? current : next;
}

/** Reads the learner's files, and finds out how far they are. */
async function workOf(place: Place, history: ProjectHistory, options: CheckOptions): Promise<Work> {
  const files = readProject(place.project);
  const resembled = { place, history, files, standing: standingOf(history, files) };
  const solved = await lastSolved(resembled, options);
  return solved?.work ?? resembled;
}

/** Lists the commands that catch-up does not run. Returns the steps that lack them. */
function sayWhatToRun(
  { page, step }: NumberedStep,
  first: readonly string[],
  { say, words }: CheckOptions,
): Step[] {
  const commands = commandsToRun(page, step);
  if (first.length + commands.length === 0) return [];
  say("Run these yourself, in this order, unless you have run them in this session:");
  for (const command of first) say(`  $ ${command}`);
  for (const { text, terminal, line } of commands)
    say(`  $ ${text}   (${words.place({ page, line })}, terminal ${terminal})`);
  return [...new Set(commands.map((command) => command.step))];
}

async function makeObjects(
  { project }: Place,
  { page, step }: NumberedStep,
  { env, say, signal, words }: CheckOptions,
): Promise<number> {
  // Clean up deletes the objects of the steps before.
  if (step.cleanUp) return 0;
  const tutorial = dirname(page.path);
  const commands = objectCommands(page, endOfStep(page, step), { read: readerOf(project), tutorial });
  if (commands.length === 0) return 0;
  if (!isSessionCluster(env)) {
    say("No objects were applied: this is not the shell of `pnpm start`, so the cluster may be another one.");
    return 0;
  }
  let status = 0;
  for (const { command, shown, line } of commands) {
    const variables = { ...definedOf(env), TUTORIAL: tutorial };
    const result = await runProgram("bash", ["--noprofile", "--norc", "-c", command], {
      ...{ cwd: project, env: variables, signal },
    });
    say(`$ ${shown}   (${words.place({ page, line })})`);
    for (const text of result.output.trimEnd().split("\n").filter(Boolean)) say(`  ${text}`);
    if (result.status !== 0) status = 1;
  }
  return status;
}

/** Lists the commands that changed the cluster in another way, and that are not run again. */
function sayWhatIsNotRepeated({ page, step }: NumberedStep, { env, say, words }: CheckOptions): void {
  const changes = step.cleanUp || !isSessionCluster(env) ? [] : changesToRepeat(page, step);
  if (changes.length === 0) return;
  say(
    "These commands change the cluster too. They are not repeated: run those that are missing in your cluster.",
  );
  for (const { text, line } of changes)
    say(`  $ ${text.replace(/ *\\?\n.*$/s, " …")}   (${words.place({ page, line })})`);
}
