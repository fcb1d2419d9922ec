import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type ProjectHistory, runProgram } from "@operator-path/walkthrough";
import {
  type CheckOptions,
  currentStep,
  formatStep,
  historyOf,
  judgeWork,
  lastStateOf,
  parseStepName,
  targetOf,
} from "../check/check.ts";
import { commandOf } from "../check/judge.ts";
import { findPlace, type Place, readProject } from "../check/place.ts";
import { formatOrigin } from "../check/problem.ts";
import { recordDone } from "../check/record.ts";
import { isSessionCluster } from "../check/session-cluster.ts";
import { filesAt, standingAt, standingOf } from "../check/standing.ts";
import { indexOfStep, type NumberedStep, stepsOf } from "../check/steps.ts";
import { keepAttempt } from "../exercise/keep.ts";
import { shortPath } from "../pages.ts";
import { makeWorkshop } from "../start/workshop.ts";
import { definedOf } from "../test-environment.ts";
import { objectCommands } from "./page-objects.ts";

/** Lines about changed files that `catch-up` prints at most. */
const mostLines = 10;

export interface CatchUpOptions extends CheckOptions {
  /** Leave the files, and only make the objects, up to the step or the last right one. */
  readonly objects?: boolean;
}

/**
 * `pnpm learn catch-up`: writes the learner's files as the page has them after a step, and makes the page's
 * objects on the session's own cluster. Saves what the learner wrote first. Without a step, goes up to the
 * step after the last right one, or with `objects` up to the last right one. Resolves to the exit status: 1 if
 * a command fails. Throws UserError for a
 * missing folder or step.
 */
export async function catchUp(step: string | undefined, options: CatchUpOptions): Promise<number> {
  const named = parseStepName(step);
  const place = await findPlace(options, named.tutorial);
  const history = await historyOf(place, options);
  const { reached } = standingOf(history, readProject(place.project));
  const { say, learn = "pnpm learn", objects = false } = options;
  const chosen = targetOf(named, place, history, reached);
  if (objects) {
    const at = chosen ?? (await currentOf(place, history, reached, options)).current;
    if (!at) {
      say("No step is complete yet, so there are no objects to make.");
      return 0;
    }
    const status = await makeObjects(place, at, options);
    if (status === 0 && isSessionCluster(options.env))
      say(`The cluster has the page's objects up to ${formatStep(at)}.`);
    say("Your files are unchanged.");
    return status;
  }
  const target = chosen ?? (await nextTarget(place, history, reached, options));
  await writeFiles(place, history, lastStateOf(history, target), options);
  const status = await makeObjects(place, target, options);
  if (status === 0) await recordDone(place, target, options, { exactly: true });
  say(`You are at the end of ${formatStep(target)}. \`${commandOf("check", learn)}\` says what comes next.`);
  return status;
}

/** Returns the step after the last right one. */
async function nextTarget(
  place: Place,
  history: ProjectHistory,
  reached: number,
  options: CheckOptions,
): Promise<NumberedStep> {
  const steps = stepsOf(place.pages);
  const [first] = steps;
  if (!first) throw new Error("the page has no steps");
  const { work, files, current } = await currentOf(place, history, reached, options);
  if (!current) return steps.find(({ step }) => step === history.states[0]?.step) ?? first;
  const standing = standingAt(history, files, lastStateOf(history, current));
  const { problem } = await judgeWork({ ...work, standing }, options);
  const next = steps[indexOfStep(steps, current) + 1];
  return problem || !next || next.step.cleanUp ? current : next;
}

/** Returns the learner's files, and the last complete step. */
async function currentOf(place: Place, history: ProjectHistory, reached: number, options: CheckOptions) {
  const files = readProject(place.project);
  const work = { place, history, files, standing: standingAt(history, files, reached) };
  return { work, files, current: await currentStep(work, undefined, options) };
}

async function writeFiles(
  place: Place,
  history: ProjectHistory,
  index: number,
  options: CheckOptions,
): Promise<void> {
  const { say, cwd } = options;
  const changes: string[] = [];
  const own = readProject(place.project);
  const wanted = filesAt(history, index);
  const ofPage = (file: string, text?: string): boolean =>
    [history.start, ...history.states.map(({ files }) => files)].some((files) => {
      const version = files.get(file);
      return version !== undefined && (text === undefined || version.text === text);
    });
  const save = async (file: string, text: string): Promise<void> => {
    if (ofPage(file, text)) return;
    const folder = join(place.work, "saved", basename(place.project), dirname(file));
    say(`What you wrote is in ${shortPath(await keepAttempt(folder, file, text), cwd)}.`);
  };
  const changed = [...wanted].filter(([file, { text }]) => own.get(file) !== text);
  // Files of later steps would not fit, and their tests would fail.
  const later = [...own].filter(([file]) => !wanted.has(file) && ofPage(file));
  if (later.length > 0) {
    const files = [...later, ...changed.filter(([file]) => own.has(file))].map(([file]) => file);
    say(`This goes back: it removes or replaces ${files.join(", ")}.`);
    const folder = shortPath(join(place.work, "saved", basename(place.project)), cwd);
    say(`Versions that are your own are saved in ${folder} first. Those of the page can be written again.`);
  }
  for (const [file, text] of later) {
    await save(file, text);
    await rm(join(place.project, file));
    changes.push(`Removed ${file}, which a later step writes.`);
  }
  for (const [file, { text }] of changed) {
    const before = own.get(file);
    if (before !== undefined) await save(file, before);
    const path = join(place.project, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    changes.push(`${before === undefined ? "Wrote" : "Changed"} ${file}.`);
  }
  // A project has about forty files: more than a screen.
  const shown = changes.length > mostLines ? changes.slice(0, mostLines - 1) : changes;
  for (const line of shown) say(line);
  if (shown.length < changes.length) say(`… and ${changes.length - shown.length} more files.`);
  if (changed.length === 0 && later.length === 0) say("Your files are the page's already.");
  await makeInstallable(place, options);
  if (changed.some(([file]) => file === "package.json") || !existsSync(join(place.project, "node_modules")))
    say("Run `pnpm install` to install the packages of package.json.");
}

/** A project that a command of the page would have made lacks the files with which pnpm needs no network. */
async function makeInstallable({ pages, work, project }: Place, options: CheckOptions): Promise<void> {
  const [page] = pages;
  if (!page || existsSync(join(project, "pnpm-lock.yaml"))) return;
  const { root, env, signal } = options;
  await makeWorkshop({ root, tutorial: dirname(page.path), workshops: work, env, signal }, page);
}

async function makeObjects(
  { project }: Place,
  { page, step }: NumberedStep,
  { env, say, signal }: CheckOptions,
): Promise<number> {
  const tutorial = dirname(page.path);
  const read = (file: string): string | undefined => {
    const path = resolve(project, file);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  };
  const commands = objectCommands(page, step, { read, tutorial });
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
    say(`$ ${shown}   (${formatOrigin({ page: page.path, line })})`);
    for (const text of result.output.trimEnd().split("\n").filter(Boolean)) say(`  ${text}`);
    if (result.status !== 0) status = 1;
  }
  return status;
}
