import {
  createVitestRunner,
  type ExerciseBlock,
  openExercise,
  type ProjectHistory,
  type ProjectState,
  runTestFile,
  type TestResult,
  type VitestRunner,
} from "@operator-path/walkthrough";
import type { Vocabulary } from "../vocabulary.ts";
import type { CompilerError } from "./compiler-advice.ts";
import { testsCovering } from "./covering-tests.ts";
import { exerciseOf, exercisesUpTo, isEditedAfter } from "./exercises.ts";
import {
  behind,
  differsAsSources,
  firstLineWithoutTab,
  laterEdit,
  leftOut,
  legend,
  mismatch,
  missing,
  typeProblem,
  uncovered,
  unsolved,
} from "./file-problems.ts";
import { localImportsOf } from "./imports.ts";
import { type Place, projectPath } from "./place.ts";
import { differencesOf, type Problem, trimmedLines } from "./problem.ts";
import { meansTheSame } from "./same-meaning.ts";
import { type FileDifference, isOfPage, type Standing } from "./standing.ts";
import { typeErrorsOf } from "./types.ts";

export interface JudgeOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** The whole environment of compilers and tests, with TMPDIR. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly words: Vocabulary;
  /** Called with what runs now, which may take seconds. */
  readonly doing?: ((what: string) => void) | undefined;
  /** Runs the tests that are for vitest. Default: one for the judgement. */
  readonly vitest?: VitestRunner | undefined;
}

type JudgeWithVitest = JudgeOptions & { readonly vitest: VitestRunner };

export interface Judgement {
  /** The first thing that is wrong. Undefined: nothing. */
  readonly problem?: Problem;
  /** Index of the state that made the wrong file's version. Undefined: none did. */
  readonly at?: number | undefined;
  /** Index of the first state with a file that is not known to be right. Undefined: all files are right. */
  readonly since?: number | undefined;
  /** Files that differ from the page, and what accepts them. */
  readonly notes: readonly string[];
  /** Files that differ from the page and compile, and that no test covers. */
  readonly unproven?: readonly FileDifference[];
  /** Notes that the learner needs to read only once. */
  readonly notesOnce?: readonly string[];
}

/** The learner's project, and what the page has at the same point. */
export interface Work {
  readonly place: Place;
  readonly history: ProjectHistory;
  readonly standing: Standing;
  /** Path relative to the project → text. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Finds the first thing that is wrong with the learner's files. A file that equals the page's is right. Others
 * must compile, and pass the tests that cover them. Files without a compiler and tests must have the page's
 * meaning.
 */
export async function judge(work: Work, options: JudgeOptions): Promise<Judgement> {
  const different = work.standing.differences.filter(
    ({ file, expected, actual }) => actual === undefined || !meansTheSame(file, expected.text, actual),
  );
  if (different.length === 0) return { notes: [] };
  const undecided = new Set(different);
  await using own = createVitestRunner();
  const vitest = options.vitest ?? own;
  const judgement = await judgeDifferent(work, different, { ...options, vitest }, (right) =>
    undecided.delete(right),
  );
  if (!judgement.problem) return judgement;
  const earlier = await earlierMistake(work, different, judgement, { ...options, vitest });
  if (earlier) return { ...judgement, ...earlier };
  const [first] = undecided;
  return { ...judgement, since: first?.since };
}

/**
 * Returns what is wrong with the code of an earlier step, if a file of a later one is missing. The learner may have
 * begun the later step too early, and an edit that it makes to the same file must not hide the mistake.
 */
async function earlierMistake(
  { place, history, standing, files }: Work,
  different: readonly FileDifference[],
  { at }: Judgement,
  options: JudgeWithVitest,
): Promise<Pick<Judgement, "problem" | "at" | "since"> | undefined> {
  const missing = different.find(({ problem, since }) => problem === "missing" && since === at);
  const step = at === undefined ? undefined : history.states[at]?.step;
  if (!missing || !step) return undefined;
  const exercises = exercisesUpTo(history, standing.reached);
  for (const difference of different) {
    const { file, expected, actual } = difference;
    if (actual === undefined || !isCode(file) || exerciseOf(exercises, file)) continue;
    const origins = differencesOf(expected, actual).map(({ origin }) => origin);
    const index = history.states.findIndex(({ page, block }) =>
      origins.some(
        (origin) => origin?.page === page && block.line <= origin.line && origin.line <= block.endLine,
      ),
    );
    if (index === -1 || index >= missing.since || history.states[index]?.step === step) continue;
    const problem = await testProblem(difference, testsCovering(file, files), place, options);
    if (problem) return { problem, at: index, since: index };
  }
  return undefined;
}

/** Judges files that differ, in the order of the page. Calls `accept` with each that is right. */
async function judgeDifferent(
  work: Work,
  different: readonly FileDifference[],
  options: JudgeWithVitest,
  accept: (difference: FileDifference) => void,
): Promise<Judgement> {
  const { place, standing, files, history } = work;
  const exercises = exercisesUpTo(history, standing.reached);
  options.doing?.("checking the types");
  const errors = (await typeErrorsOf(place.project, options)) ?? [];
  const notes: string[] = [];
  const notesOnce: string[] = [];
  const unproven: FileDifference[] = [];
  const toTest: { difference: FileDifference; tests: readonly string[] }[] = [];
  // The page's own file does not compile either, as long as a later edit of the step is to come.
  const isUnfinished = (file: string): boolean =>
    errors.some((one) => one.file === file) &&
    exerciseOf(exercises, file) !== undefined &&
    isChangedLater(file, work, "step");
  for (const difference of different) {
    const { file, problem } = difference;
    const at = difference.since;
    if (problem === "missing") return { problem: missing(difference, history, options), at, notes };
    // The page's text of an exercise is its solution: the tests judge the learner's, and nothing shows the page's.
    const exercise = exerciseOf(exercises, file);
    const error = firstErrorOf(difference, errors);
    if (isUnfinished(file)) {
      accept(difference);
      continue;
    }
    if (error)
      return { problem: typeProblem(error, files, exercise ? undefined : difference, options), at, notes };
    if (exercise) {
      if (isEditedAfter(exercise, difference) && !hasLaterEdit(difference, history))
        notesOnce.push(laterEdit(difference, history, options));
      const left = isCode(file) && leftOut(difference, exercise.state, history, options);
      if (left) notesOnce.push(left);
      continue;
    }
    if (firstLineWithoutTab(difference) !== undefined)
      return { problem: mismatch(difference, options), at, notes };
    const extra = isGenerated(difference, history) ? extraSources(work) : undefined;
    if (extra && (extra.length > 0 || different.some((one) => isCode(one.file)))) {
      notes.push(differsAsSources(file, extra));
      accept(difference);
      continue;
    }
    if (problem === "behind") return { problem: behind(difference, options), at, notes };
    const tests = testsCovering(file, files);
    if (isCode(file) && tests.length > 0) toTest.push({ difference, tests });
    else if (problem === "partial") return { problem: behind(difference, options), at, notes };
    else if (!isCode(file)) return { problem: mismatch(difference, options), at, notes };
    else {
      notes.push(uncovered(difference, options));
      unproven.push(difference);
      accept(difference);
    }
  }
  // A file of the page may import what a later step is to replace.
  const needsLater = ({ file, message }: CompilerError): boolean =>
    isUnchanged(file, work) &&
    localImportsOf(file, files.get(file) ?? "").some(
      ({ request, path }) => message.includes(request) && isReplacedLater(path, work),
    );
  const other = errors.find((one) => !isReplacedLater(one.file, work) && !needsLater(one));
  if (other && isComplete(work)) return { problem: typeProblem(other, files, undefined, options), notes };
  for (const { state, block } of exercises) {
    const solution = different.find(({ file }) => file === projectPath(block.file));
    if (!solution || isUnfinished(solution.file)) continue;
    const failed = await failedTests(block, state, place, options);
    const text = files.get(projectPath(block.file)) ?? "";
    const at = history.states.indexOf(state);
    const imported = localImportsOf(solution.file, text).map(({ path }) => path);
    const others = different.map(({ file }) => file).filter((file) => imported.includes(file));
    if (failed) return { problem: unsolved(block, failed, text, others, options), at, notes };
    accept(solution);
  }
  for (const { difference, tests } of toTest) {
    const problem = await testProblem(difference, tests, place, options);
    if (problem) return { problem, at: difference.since, notes };
    // A test that passes proves nothing about itself.
    const others = tests.filter((test) => test !== difference.file);
    if (others.length > 0)
      notes.push(`${difference.file} differs from the page's, but passes ${others.join(", ")}.`);
    else notes.push(uncovered(difference, options));
    accept(difference);
  }
  return { notes, notesOnce, unproven };
}

/**
 * Returns the type error of a file that is on a line of the learner's own, or else its first one. A line of the page's
 * may wait for a later edit.
 */
function firstErrorOf(
  { file, expected, actual = "" }: FileDifference,
  errors: readonly CompilerError[],
): CompilerError | undefined {
  const ofFile = errors.filter((one) => one.file === file);
  const pages = new Set(trimmedLines(expected.text));
  const own = actual.split("\n");
  return ofFile.find(({ line }) => !pages.has((own[line - 1] ?? "").trim())) ?? ofFile[0];
}

/** Reports whether the learner has all files of the last step with one. */
export function isComplete({ history: { states }, standing: { reached } }: Work): boolean {
  return states[reached]?.step !== states[reached + 1]?.step;
}

/** Reports whether the page itself replaces a file of its own in a later step: until then, the file may not compile. */
function isReplacedLater(file: string, work: Work): boolean {
  return isUnchanged(file, work) && isChangedLater(file, work, "page");
}

/** Reports whether the file is as the page has it. */
function isUnchanged(file: string, { history, standing }: Work): boolean {
  const isOfPage = history.states[standing.reached]?.files.has(file) ?? false;
  return isOfPage && !standing.differences.some((one) => one.file === file);
}

/** Reports whether a later state of the page, or of the step, that the learner is in has another version of a file. */
function isChangedLater(
  file: string,
  { history: { states }, standing: { reached } }: Work,
  within: "page" | "step",
): boolean {
  const now = states[reached];
  const text = now?.files.get(file)?.text;
  return states
    .slice(reached + 1)
    .some((state) => state[within] === now?.[within] && state.files.get(file)?.text !== text);
}

/** Reports whether a command of the page wrote the file, such as `make manifests`. */
function isGenerated({ since }: FileDifference, { states }: ProjectHistory): boolean {
  return states[since]?.block.kind === "console";
}

/** Reports whether the learner's own solution has the page's last edit of its file. */
function hasLaterEdit({ since, actual }: FileDifference, { states }: ProjectHistory): boolean {
  const block = states[since]?.block;
  if (block?.kind !== "edit" || actual === undefined) return false;
  const lines = new Set(trimmedLines(actual));
  const added = block.content.split("\n").filter((line) => line.startsWith("+") && !line.startsWith("+++"));
  return added.every((line) => lines.has(line.slice(1).trim()));
}

/** Returns the learner's files of code that the page does not have, without tests. */
function extraSources({ files, history }: Work): string[] {
  return [...files.keys()].filter(
    (file) => isCode(file) && !isOfPage(history, file) && !file.endsWith(".test.ts"),
  );
}

function isCode(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}

async function failedTests(
  block: ExerciseBlock,
  { page }: ProjectState,
  { work }: Place,
  { root, env, signal, doing, vitest }: JudgeWithVitest,
): Promise<readonly TestResult[] | undefined> {
  doing?.(`running the tests of ${projectPath(block.file)}`);
  const results = await openExercise(page, block, { root, work, env, signal, vitest }).check();
  const failed = results.filter(({ status }) => status !== "passed");
  return failed.length > 0 ? failed : undefined;
}

async function testProblem(
  difference: FileDifference,
  tests: readonly string[],
  { project, work }: Place,
  options: JudgeWithVitest,
): Promise<Problem | undefined> {
  for (const file of tests) {
    const { env, signal, vitest } = options;
    const run = { learner: project, work, env, signal, timeout: 120_000, vitest };
    options.doing?.(`running ${file}`);
    const results = await runTestFile(file, run);
    if (results === undefined) {
      const problem = mismatch(difference, options);
      return {
        ...problem,
        todo: `${problem.todo} After \`pnpm install\`, check runs ${file} in place of comparing the file.`,
      };
    }
    const failed = results.tests.find(({ status }) => status === "failed");
    const message = results.problem ?? failed?.message;
    if (message === undefined) continue;
    const problem = mismatch(difference, options);
    const name = failed?.path.join(" > ");
    return {
      ...problem,
      what: `it differs from the page, and ${name === undefined ? `${file} does not run` : `"${name}" of ${file} fails`}`,
      shown: [
        ...message.split("\n").slice(0, 20),
        ...(problem.shown ? [`Your file and the page's ${legend}:`, ...problem.shown] : []),
      ],
    };
  }
  return undefined;
}
