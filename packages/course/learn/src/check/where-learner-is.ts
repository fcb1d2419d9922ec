import type { ProjectHistory, Step, VitestRunner } from "@operator-path/walkthrough";
import { readFinished, stepStates } from "../finished-steps.ts";
import { pageNames } from "../pages.ts";
import { definedOf, testEnvironment } from "../test-environment.ts";
import { type Comparison, compareCluster, stepsToCompare } from "./cluster.ts";
import { type ExerciseAt, exercisesUpTo } from "./exercises.ts";
import { isComplete, type Judgement, judge, type Work } from "./judge.ts";
import { type Place, type PlaceOptions, projectPath, readProject } from "./place.ts";
import type { Problem } from "./problem.ts";
import type { recordDone } from "./record.ts";
import { isSessionCluster } from "./session-cluster.ts";
import { leavesFiles, standingAt, standingOf } from "./standing.ts";
import { indexOfStep, type NumberedStep, stepsOf } from "./steps.ts";

export interface CheckOptions extends PlaceOptions {
  readonly signal: AbortSignal;
  say(line: string): void;
  /** Called with what runs now, which may take seconds. */
  doing?(what: string): void;
  /** Records the finished steps. Default `recordDone`. */
  readonly record?: typeof recordDone;
  /** As in `JudgeOptions`. */
  readonly vitest?: VitestRunner;
}

/** Judges the files of a project in the environment of the command. */
export function judgeWork(
  work: Work,
  { root, signal, words, env, doing, vitest }: CheckOptions,
): Promise<Judgement> {
  return judge(work, { root, signal, words, env: testEnvironment(env), doing, vitest });
}

/**
 * Returns the work at the last exercise that the learner has begun after the state that the files resemble. With a
 * problem, only if the problem is in that exercise's file. Without one, only if the exercise is solved. A solution in
 * the learner's own words may resemble an earlier step more.
 *
 * @param problem what is wrong with what the files resemble
 */
export async function lastBegun(
  work: Work,
  problem: Problem | undefined,
  options: CheckOptions,
): Promise<{ readonly work: Work; readonly judgement: Judgement } | undefined> {
  const { history, files } = work;
  const wrong = problem?.where.split(":")[0];
  for (const { state, block } of begunAfter(work).toReversed()) {
    if (wrong !== undefined && wrong !== projectPath(block.file)) continue;
    const standing = standingAt(history, files, history.states.indexOf(state));
    const judgement = await judgeWork({ ...work, standing }, options);
    if (wrong !== undefined || !judgement.problem) return { work: { ...work, standing }, judgement };
  }
  return undefined;
}

/** Returns the exercises after the resembled state whose own tests the learner has, and whose file differs. */
function begunAfter({ history, standing, files }: Work): ExerciseAt[] {
  const earlier = exercisesUpTo(history, standing.reached);
  // Two exercises may share a test file.
  const known = new Set(earlier.flatMap(({ block }) => block.tests.map(({ file }) => file)));
  const isOwn = (file: string): boolean => standing.differences.some((one) => one.file === file);
  return exercisesUpTo(history, history.states.length - 1)
    .slice(earlier.length)
    .filter(
      ({ block: { file, tests } }) =>
        isOwn(projectPath(file)) &&
        tests.every((test) => files.has(projectPath(test.file))) &&
        tests.some((test) => !known.has(test.file)),
    );
}

export function stepOfFiles(work: Work): NumberedStep | undefined {
  return stepOfState(work, work.standing.reached);
}

export function stepOfState({ place, history }: Work, index: number | undefined): NumberedStep | undefined {
  const state = index === undefined ? undefined : history.states[index];
  return state && stepsOf(place.pages).find(({ step }) => step === state.step);
}

/**
 * Returns the learner's step. Files lead to a step that writes some. After it come steps without files: those
 * that the learner has finished by `catch-up` or in the menu, and those whose objects the cluster has.
 */
export async function currentStep(
  work: Work,
  matched: NumberedStep | undefined,
  options: CheckOptions,
): Promise<NumberedStep | undefined> {
  const ofFiles = stepOfFiles(work);
  if (!isComplete(work)) return ofFiles;
  const steps = stepsOf(work.place.pages);
  const done = await finishedSteps(work.place, options);
  let at = Math.max(indexOfStep(steps, ofFiles), indexOfStep(steps, matched));
  const follows = ({ page, step, number }: NumberedStep): boolean =>
    page === (steps[at] ?? steps[0])?.page &&
    leavesFiles(work.history, step) &&
    (number === 0 || done.includes(step));
  for (let next = steps[at + 1]; next && follows(next); next = steps[at + 1]) at++;
  const current = steps[at];
  return current?.number === 0 && !ofFiles ? undefined : current;
}

/** Returns the steps of the project's pages that the learner has finished. */
export async function finishedSteps({ pages }: Place, { root, workshops }: CheckOptions): Promise<Step[]> {
  const [{ finished }, names] = await Promise.all([readFinished(workshops), pageNames(root)]);
  return pages
    .flatMap((page) => stepStates(page, names.get(page.path) ?? "", finished))
    .flatMap((state) => (state.finished ? state.step : []));
}

/** Reads the learner's files, and finds out how far they are. */
export async function workOf(place: Place, history: ProjectHistory, options: CheckOptions): Promise<Work> {
  const files = readProject(place.project);
  const resembled = { place, history, files, standing: standingOf(history, files) };
  if (begunAfter(resembled).length === 0) return resembled;
  const { problem } = await judgeWork(resembled, options);
  return (await lastBegun(resembled, problem, options))?.work ?? resembled;
}

/** Compares the session's cluster, once the files of a step are complete. */
export async function compareSession(
  work: Work,
  target: NumberedStep | undefined,
  { env, signal, words, doing }: CheckOptions,
): Promise<Comparison> {
  const { place, history } = work;
  const steps = stepsOf(place.pages);
  const current = target ?? (isComplete(work) ? stepOfFiles(work) : undefined);
  if (!current || !isSessionCluster(env)) return {};
  const compared = target ? [target] : stepsToCompare(steps, current, history);
  return compareCluster(compared, place, { signal, env: definedOf(env), words, doing });
}
