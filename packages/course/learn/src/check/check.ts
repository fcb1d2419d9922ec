import { basename } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { createVitestRunner, type Page, type ProjectHistory } from "@operator-path/walkthrough";
import { colors } from "../colors.ts";
import { readFinished, stepStates } from "../finished-steps.ts";
import { ownOperatorIn } from "../own-operator.ts";
import { listPages, pageNames } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { withFiles } from "./file-problems.ts";
import { historyOf } from "./history-of.ts";
import { isComplete, type Judgement, type Work } from "./judge.ts";
import { filesInOtherCase, otherCaseProblem, underPageNames } from "./other-case.ts";
import { findPlace, type Place, readProject } from "./place.ts";
import { formatProblem } from "./problem.ts";
import { recordDone } from "./record.ts";
import { notShownBefore } from "./shown-notes.ts";
import { nextLasting, standingAt, standingBefore, standingOf } from "./standing.ts";
import { findStep, formatStep, indexOfStep, type NumberedStep, originOf, stepsOf } from "./steps.ts";
import { whatIsNext } from "./what-is-next.ts";
import {
  type CheckOptions,
  compareSession,
  currentStep,
  judgeWork,
  lastBegun,
  stepOfFiles,
  stepOfState,
} from "./where-learner-is.ts";

/**
 * `pnpm learn check`: says whether the learner's files are right so far, or the first thing that is wrong.
 * With a step, the files must have all that the page has after it. Resolves to the exit status: 0 or 1. Throws
 * UserError for a missing folder or step.
 */
export async function checkWork(step: string | undefined, options: CheckOptions): Promise<number> {
  const named = parseStepName(step);
  const place = await findPlace(options, named.tutorial);
  const own = ownOperatorIn(place.work, basename(place.project));
  if (own !== undefined) {
    options.say(
      `${own} is an operator of your own. This check knows only the page's example, ${basename(place.project)}. Yours is checked by \`pnpm exec operator-path checklist\`.`,
    );
    return 0;
  }
  const history = await historyOf(place, options);
  // The files may be judged more than once.
  await using vitest = createVitestRunner();
  return await checkPlace(place, history, named, { ...options, vitest });
}

/** Checks a project whose history is known. Records the finished steps: after a mistake, those before it. */
export async function checkPlace(
  place: Place,
  history: ProjectHistory,
  named: StepName,
  options: CheckOptions,
): Promise<number> {
  const own = readProject(place.project);
  const others = filesInOtherCase(history, own);
  const files = underPageNames(own, others);
  const found = standingOf(history, files);
  const target = targetOf(named, place, history, found.reached);
  const end = target ? lastStateOf(history, target) : found.reached;
  const isPast = end < found.reached;
  const standing = isPast
    ? standingBefore(history, files, end, found)
    : target
      ? standingAt(history, files, end)
      : found;
  const resembled: Work = { place, history, standing, files };
  const first = otherCaseProblem(history, standing, others) ?? (await judgeWork(resembled, options));
  const begun = target ? undefined : await lastBegun(resembled, first.problem, options);
  const { work, judgement } = begun ?? { work: resembled, judgement: first };
  const begins = judgement.problem || target ? undefined : await beginOfOpenedPage(work, options);
  if (begins) {
    const { title } = begins.page.frontMatter;
    options.say(
      `${colors.green("✓")} Right so far: you have the files with which "${title}" begins. Next: "${begins.step.title}"${options.words.afterStep(originOf(begins))}`,
    );
    return 0;
  }
  const ended = judgement.problem || target ? undefined : await endOfFinishedPage(work, options);
  // Later steps may have changed the objects of one that the learner is past.
  const compared = judgement.problem || ended || isPast ? {} : await compareSession(work, target, options);
  const problem =
    judgement.problem ?? (compared.problem && withFiles(compared.problem, judgement.unproven ?? []));
  // A problem of the cluster is one of the step that the files lead to.
  const current =
    target ??
    ended ??
    (compared.problem ? stepOfFiles(work) : await currentStep(work, compared.matched, options));
  const doubtful = stepOfState(work, judgement.since) ?? current;
  const done = !problem && (isComplete(work) || target) ? current : stepBefore(place, doubtful);
  if (done) await (options.record ?? recordDone)(place, done, options);
  const shown = stepOfState(work, judgement.at) ?? current;
  const once = problem ? [] : await notShownBefore(judgement.notesOnce ?? [], place.work);
  const ofCluster = isPast
    ? "The cluster is not compared, because your files are past this step."
    : compared.note;
  const notes = [...judgement.notes, ...once, ...(ofCluster === undefined ? [] : [ofCluster])];
  const status = report(work, shown, { notes, ...(problem && { problem }) }, options);
  if (!problem && current?.step.cleanUp) options.say(await afterThePage(current.page, place, options));
  return status;
}

/**
 * Returns the first step of the page that the learner has opened, if the files are those of the page before, and
 * nothing of the opened one is there yet. The cluster need not have the objects of the page before.
 */
async function beginOfOpenedPage(
  work: Work,
  { root, workshops }: CheckOptions,
): Promise<NumberedStep | undefined> {
  const { place, history, standing } = work;
  const next = nextLasting(history, standing.reached)?.page;
  const here = history.states[standing.reached]?.page;
  if (!next || !here || next === here) return undefined;
  const [{ finished }, names] = await Promise.all([readFinished(workshops), pageNames(root)]);
  if (finished.opened !== names.get(next.path)) return undefined;
  return stepsOf(place.pages).find(({ page, number }) => page === next && number === 1);
}

/**
 * Returns the last step of the page that the files lead to, if the learner has finished it. It has removed the
 * objects of the steps before, so none of them is compared, even if the learner left one out.
 */
async function endOfFinishedPage(
  work: Work,
  { root, workshops }: CheckOptions,
): Promise<NumberedStep | undefined> {
  const page = isComplete(work) ? stepOfFiles(work)?.page : undefined;
  if (!page) return undefined;
  const [{ finished }, names] = await Promise.all([readFinished(workshops), pageNames(root)]);
  const last = stepsOf([page]).at(-1);
  const isFinished = stepStates(page, names.get(page.path) ?? "", finished).at(-1)?.finished;
  return last?.step.cleanUp && isFinished ? last : undefined;
}

/** Returns what to do after a page's last step. */
async function afterThePage(page: Page, { pages }: Place, { root, words }: CheckOptions): Promise<string> {
  const all = await listPages(root);
  const next = all[all.findIndex(({ path }) => path === page.path) + 1];
  if (!next) return "  The page is finished, and it is the last one.";
  const sameProject = pages.some(({ path }) => path === next.path);
  return `  The page is finished. Next: ${next.name}, "${readPage(next).frontMatter.title}". ${words.nextPage(next.name, sameProject)}`;
}

function stepBefore({ pages }: Place, current: NumberedStep | undefined): NumberedStep | undefined {
  const steps = stepsOf(pages);
  return steps[indexOfStep(steps, current) - 1];
}

function report(
  work: Work,
  current: NumberedStep | undefined,
  { problem, notes }: Judgement,
  { say, words }: CheckOptions,
): number {
  if (problem) {
    if (current) say(`${formatStep(current)}${words.afterStep(originOf(current))}`);
    say(formatProblem(problem, words));
    return 1;
  }
  const next = whatIsNext(work, current, words);
  const where = current ? formatStep(current) : "you have no file to check yet";
  say(`${colors.green("✓")} Right so far: ${where}.${next.text}`);
  for (const note of [...notes, ...next.advice]) say(`  ${note}`);
  return 0;
}

/** A step as a person names it: `6`, `reconcile`, `2@an-image`, `01-podbuggertool/2@an-image`. */
export interface StepName {
  readonly tutorial?: string;
  /** Number of the page. */
  readonly page?: number;
  readonly step?: string;
}

export function parseStepName(name: string | undefined): StepName {
  if (name === undefined) return {};
  const match = /^(?:(?:tutorials\/)?([^@/]+)\/)?(?:(\d+)(?:-[^@]*)?@)?(.+)$/.exec(name);
  if (!match || (match[1] !== undefined && match[2] === undefined && !/^\d/.test(match[1])))
    return { step: name };
  const [, tutorial, page, step] = match;
  return {
    ...(tutorial !== undefined && { tutorial }),
    ...(page !== undefined && { page: Number(page) }),
    ...(step !== undefined && { step }),
  };
}

/** Finds the step that a person named. Numbers count on the page where the learner is. */
export function targetOf(
  { page: number, step }: StepName,
  place: Place,
  history: ProjectHistory,
  reached: number,
): NumberedStep | undefined {
  if (step === undefined) return undefined;
  const current = history.states[Math.max(0, reached)]?.page ?? place.pages[0];
  const page = number === undefined ? current : place.pages.find((one) => numberOf(one.path) === number);
  if (!page)
    throw new UserError(
      `this project has no page ${number}: it has ${place.pages.map(({ path }) => numberOf(path)).join(", ")}`,
    );
  return findStep(step, stepsOf(place.pages), page);
}

function numberOf(path: string): number {
  return Number(/(\d+)-[^/]*$/.exec(path)?.[1] ?? 1);
}

/** Returns the index of the last state that a project has after a step. */
export function lastStateOf(history: ProjectHistory, { page, step }: NumberedStep): number {
  return history.states.findLastIndex(
    (state) =>
      (state.page === page && state.step.line <= step.line) ||
      numberOf(state.page.path) < numberOf(page.path),
  );
}
