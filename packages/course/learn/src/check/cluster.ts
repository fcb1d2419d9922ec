import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  compareReads,
  type Page,
  type PageFailure,
  type ProjectHistory,
  readsAfter,
  runBash,
  type StepRead,
  showsNews,
  withoutOwnNames,
} from "@operator-path/walkthrough";
import { getOfDeleted } from "../commands/changes.ts";
import { endOfStep } from "../commands/page-objects.ts";
import type { Vocabulary } from "../vocabulary.ts";
import {
  formatMissing,
  type MissingObjects,
  type MissingObjectsOptions,
  missingObjects,
} from "./missing-objects.ts";
import type { Place } from "./place.ts";
import type { Problem } from "./problem.ts";
import { leavesFiles } from "./standing.ts";
import { indexOfStep, type NumberedStep } from "./steps.ts";

export interface ClusterOptions {
  /** The environment of kubectl. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly words: Vocabulary;
  /** Called with the step whose commands run now. */
  readonly doing?: ((what: string) => void) | undefined;
}

/** Milliseconds for one command. */
const limit = 20_000;

/** What the cluster has of the compared steps. */
export interface Comparison {
  /** The first step whose commands show what the page shows. */
  readonly matched?: NumberedStep;
  /** What the first of the steps lacks. */
  readonly problem?: Problem;
  /** What the page applies up to the first of the steps, and the cluster lacks, if no step shows anything. */
  readonly note?: string;
}

/**
 * Compares the cluster with the page: runs the kubectl commands again that the steps end with, and that only
 * read. One step that matches is enough, and a later one only if the cluster has what the page applies up to it.
 * Otherwise the problem is that of the first step: the learner may not have begun the others, or may be past them.
 *
 * @param steps in the order of the page
 */
export async function compareCluster(
  steps: readonly NumberedStep[],
  { project }: Place,
  { env, signal, words, doing }: ClusterOptions,
): Promise<Comparison> {
  let problem: Problem | undefined;
  const missingBefore = (page: Page, line: number): Promise<MissingObjects | undefined> =>
    missingObjects(page, line, { project, env, signal });
  const missingAfter = ({ page, step }: NumberedStep) => missingBefore(page, endOfStep(page, step));
  for (const [index, numbered] of steps.entries()) {
    const reads = readsAfter(numbered.step, "embedded");
    // A read that an earlier step also shows does not prove this one.
    if (reads.length === 0 || (index > 0 && !showsNews(numbered.page, numbered.step, "embedded"))) continue;
    doing?.(`comparing the cluster with "${numbered.step.title}"`);
    const failure = await compareReads(numbered.page, reads, { cwd: project, env, signal, timeout: limit });
    // An object of an earlier step may be all that a later step shows.
    if (!failure && (index === 0 || !(await missingAfter(numbered)))) return { matched: numbered };
    if (failure && index === 0) {
      const missing = await missingBefore(numbered.page, failure.line);
      problem = problemOf(numbered, reads, failure, missing, words);
    }
  }
  if (problem) {
    const image = await missingImage(project, { cwd: project, env, signal, timeout: limit });
    if (image === undefined) return { problem };
    const build = `A Pod waits for the image ${image} of your project, which the cluster does not have. Build it with \`make docker-build docker-push IMG=${image}\`.`;
    return { problem: { ...problem, todo: `${build} If that is not it: ${problem.todo}` } };
  }
  const [first] = steps;
  if (!first) return {};
  if (first.step.cleanUp) {
    const left = await notCleanedUp(first, { project, env, signal }, words);
    return left ? { problem: left } : {};
  }
  const { page } = first;
  // The learner may be in any of the steps, and in the one after them. It may delete objects.
  const last = (steps.at(-1) ?? first).step;
  const following = page.steps[page.steps.indexOf(last) + 1];
  const until = endOfStep(page, following && !following.cleanUp ? following : last);
  const missing = await missingObjects(page, endOfStep(page, first.step), { project, env, signal, until });
  if (!missing) return {};
  const after = words.afterStep({ page, line: missing.line });
  return { note: `${formatMissing(page, missing)}: run its command${after}.` };
}

/** Returns the project's own image if a Pod waits for it in vain. A page may break others on purpose. */
async function missingImage(
  project: string,
  options: Parameters<typeof runBash>[1],
): Promise<string | undefined> {
  const makefile = await readFile(join(project, "Makefile"), "utf8").catch(() => "");
  const own = /^(?:IMAGE_TAG_BASE|IMG) \?= (?:[^\s$]*\/)?([^\s$:/]+)/m.exec(makefile)?.[1];
  if (own === undefined) return undefined;
  const reasons =
    '{range .items[*].status.containerStatuses[*]}{.state.waiting.reason}{" "}{.image}{"\\n"}{end}';
  const { output } = await runBash(`kubectl get pods -A -o jsonpath='${reasons}' 2>/dev/null`, options);
  const waits = /^(?:ErrImagePull|ErrImageNeverPull|ImagePullBackOff) (?:\S*\/)?([^\s:/]+)(?::\S+)?$/;
  const line = output.split("\n").find((one) => waits.exec(one)?.[1] === own);
  return line?.split(" ")[1];
}

/** Returns the first command of Clean up whose objects the cluster still has, as a problem. */
async function notCleanedUp(
  { page, step }: NumberedStep,
  { project, env, signal }: Omit<MissingObjectsOptions, "until">,
  words: Vocabulary,
): Promise<Problem | undefined> {
  const entries = step.blocks.flatMap((block) => (block.kind === "console" ? block.entries : []));
  for (const { text, line } of entries) {
    const get = getOfDeleted(text);
    if (get === undefined) continue;
    const { status, output } = await runBash(`${get} --ignore-not-found -o name 2>/dev/null`, {
      ...{ cwd: project, env, signal, timeout: limit },
    });
    const [first] = output.trim().split("\n");
    if (status !== 0 || !first) continue;
    const after = words.afterStep({ page, line });
    const todo = `Run the commands of "${step.title}"${after}.`;
    return { where: `\`${text}\``, what: `the cluster still has ${first}`, todo };
  }
  return undefined;
}

/**
 * Returns the steps whose commands a learner may have run: the finished one, and those after it that change
 * no file, or take back what they change.
 */
export function stepsToCompare(
  steps: readonly NumberedStep[],
  current: NumberedStep,
  history: ProjectHistory,
): NumberedStep[] {
  const rest = steps.slice(indexOfStep(steps, current) + 1);
  const end = rest.findIndex(
    ({ step, page }) => step.cleanUp || page !== current.page || !leavesFiles(history, step),
  );
  return [current, ...(end === -1 ? rest : rest.slice(0, end))];
}

function problemOf(
  { page, step }: NumberedStep,
  reads: readonly StepRead[],
  { line, diff, command = "" }: PageFailure,
  missing: MissingObjects | undefined,
  words: Vocabulary,
): Problem {
  const expected = diff.filter(({ kind }) => kind === "-").map(({ text }) => text);
  const seen = diff.filter(({ kind }) => kind === "+").map(({ text }) => text);
  const entry = reads.find((read) => read.entry.line <= line)?.entry;
  return {
    where: command === "" ? (entry?.text ?? "") : `\`${command}\``,
    what: `the cluster shows ${quoted(seen) ?? "nothing"}, the page expects ${quoted(expected.map(withoutOwnNames)) ?? "these objects"}`,
    origin: { page, line },
    todo: todoOf({ page, step }, missing, words),
  };
}

/** Says what to do. Names the command that the learner has not run, if the cluster shows which one. */
function todoOf(
  { page, step }: Pick<NumberedStep, "page" | "step">,
  missing: MissingObjects | undefined,
  words: Vocabulary,
): string {
  const after = words.afterStep({ page, line: missing?.line ?? step.line });
  const run = missing
    ? `${formatMissing(page, missing)}. Run its command${after}`
    : `Run the commands of "${step.title}"${after} that you have not run yet`;
  const make = `${run}, or make its objects with ${words.catchUp(step.slug)}.`;
  const last = page.steps.find(({ cleanUp }) => cleanUp);
  const cleaned = last && `If you have cleaned up already, you are done: ${words.finish(last)}.`;
  // A cluster without the page's first objects is that of a learner who has cleaned up, or of one who has not begun.
  const sentences =
    missing?.isFirst && cleaned ? [cleaned, `If not: ${make}`] : [make, missing ? undefined : cleaned];
  const isRunning = step.blocks.some((block) => block.kind === "console" && block.options.running);
  const program = isRunning && "If you have run them all, see what your program prints in its terminal.";
  return [...sentences, program].filter(Boolean).join(" ");
}

function quoted(lines: readonly string[]): string | undefined {
  const [first, ...rest] = lines.map((line) => line.trim()).filter(Boolean);
  if (first === undefined) return undefined;
  const mark = first.includes('"') ? "`" : '"';
  const more = rest.length > 0 ? ` (and ${rest.length} more ${rest.length === 1 ? "line" : "lines"})` : "";
  return `${mark}${first}${mark}${more}`;
}
