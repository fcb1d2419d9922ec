import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { log } from "@clack/prompts";
import { UserError } from "@operator-path/cluster/user-error";
import { missingPrograms, type Page } from "@operator-path/walkthrough";
import { choose } from "../choose.ts";
import {
  changeFinished,
  type Finished,
  nextStep,
  readFinished,
  type StepState,
  stepStates,
  withSteps,
} from "../finished-steps.ts";
import { programsToInstall, whatIsMissingFor } from "../missing-programs.ts";
import { ownOperatorIn } from "../own-operator.ts";
import { type PageFile, shortPath } from "../pages.ts";
import { showPage } from "../read/show-page.ts";
import { readPage } from "../read-page.ts";
import { wrappedLog } from "../wrapped-log.ts";
import { beginAnew } from "./begin-anew.ts";
import { cut } from "./cut.ts";
import { openShell } from "./learner-shell.ts";
import { runStepwise } from "./run-stepwise.ts";
import { workshopsOf } from "./session.ts";
import { createSessions, type Sessions } from "./sessions.ts";

type Choice = "ui" | "continue" | "shell" | "steps" | "read" | "tour" | "anew" | "quit";

export interface MenuOptions {
  readonly root: string;
  readonly pages: readonly PageFile[];
  /** All pages, in reading order: "Continue" may lead to one that `pages` does not have. */
  readonly all: readonly PageFile[];
  /** Open the first page that is not finished in a shell, before the menu. */
  readonly opens: boolean;
  /** Aborts on Ctrl+C outside of a question, and when the terminal closes. */
  readonly signal: AbortSignal;
  playTour(): Promise<void>;
}

interface Menu extends MenuOptions {
  readonly sessions: Sessions;
  readonly undo: AsyncDisposableStack;
  /** Folder of the learners' folders. */
  readonly work: string;
}

/** Shows the menu until the learner leaves. */
export async function showMenu(options: MenuOptions, undo: AsyncDisposableStack): Promise<void> {
  const work = workshopsOf(options.root);
  const menu: Menu = { ...options, undo, work, sessions: createSessions(options, undo) };
  if (options.opens) await reportUserErrors(openFirst(menu));
  for (;;) {
    const { finished } = await readFinished(work);
    const place = placeOf(menu, finished);
    const choice = await chooseNext(menu, finished, place);
    if (choice === "quit") return;
    if (choice === "steps") await changeFinished(work, (before) => ({ ...before, used: choice }));
    await reportUserErrors(act(choice, menu, finished, place));
  }
}

async function openFirst(menu: Menu): Promise<void> {
  const { finished } = await readFinished(menu.work);
  const file = menu.pages.find((one) => isOpen(one, finished, menu.work)) ?? menu.pages[0];
  if (file) await buildByHand(menu, file, true);
}

async function act(
  choice: Exclude<Choice, "quit">,
  menu: Menu,
  finished: Finished,
  place: Place | undefined,
): Promise<void> {
  if (choice === "tour") return menu.playTour();
  if (choice === "ui") return showInBrowser(menu, place);
  const page =
    choice === "continue"
      ? place?.file
      : await choosePage(menu, finished, place?.file ?? lastPage(menu, finished));
  if (page === undefined) return;
  switch (choice) {
    case "read":
      wrappedLog.info(shortPath(page.path, process.cwd()));
      return showPage(page);
    case "anew":
      return (await isSure(menu, page)) ? beginPageAnew(menu, page) : undefined;
    case "steps":
      return watch(menu, page, finished);
    default:
      return buildByHand(menu, page, choice === "continue");
  }
}

/** Shows the page in the browser until Enter, and returns to the menu. The cluster and the folder stay. */
async function showInBrowser(menu: Menu, place: Place | undefined): Promise<void> {
  const { root, pages, sessions, signal } = menu;
  if (place) await sessions.goBackTo(place.file.name);
  const { runUi } = await import("../ui/run-ui.ts");
  const [page] = place ? [place.file] : pages;
  await using undo = new AsyncDisposableStack();
  await runUi(
    { root, page, sessions, signal, endsAtEnter: true, say: (line) => wrappedLog.info(line) },
    undo,
  );
}

/** Where the learner goes on. */
interface Place {
  readonly file: PageFile;
  /** Undefined: a page that the learner has not begun. */
  readonly next: StepState | undefined;
  readonly label: string;
}

/** Returns the next step of the learner's last page, or the next page to finish. Undefined before the first step. */
function placeOf({ pages, all, work }: Menu, finished: Finished): Place | undefined {
  const last = all.findIndex(({ name }) => name === finished.last);
  const file = all[last];
  if (!file || !pages.some(({ path }) => dirname(path) === dirname(file.path))) return undefined;
  const page = readPage(file);
  const states = existingStates(page, file, finished, work);
  if (!states.some((state) => state.finished)) return undefined;
  const next = nextStep(states);
  if (next) {
    const at = `step ${next.number} of ${states.length}: ${next.step.title}`;
    return { file, next, label: `${file.name}, ${at}` };
  }
  const after = all.slice(last + 1).find((one) => isOpen(one, finished, work));
  return (
    after && { file: after, next: undefined, label: `${after.name}  ${readPage(after).frontMatter.title}` }
  );
}

/** Reports whether a page has an unfinished step. */
function isOpen(file: PageFile, finished: Finished, work: string): boolean {
  return nextStep(existingStates(readPage(file), file, finished, work)) !== undefined;
}

/**
 * Returns the states of the steps. If a file that a finished step wrote is missing, that step and the later
 * ones do not count: the learner's folder says more than the list. It says nothing of an operator of the learner's own.
 */
function existingStates(page: Page, file: PageFile, finished: Finished, work: string): StepState[] {
  const states = stepStates(page, file.name, finished);
  const folder = join(work, basename(dirname(file.path)));
  if (ownOperatorIn(folder, page.frontMatter.project ?? "") !== undefined) return states;
  const lost = states.findIndex(
    (state) =>
      state.finished &&
      state.step.blocks.some((block) => block.kind === "write" && !existsSync(join(folder, block.file))),
  );
  return lost === -1 ? states : states.map((state, i) => (i < lost ? state : { ...state, finished: false }));
}

async function chooseNext(menu: Menu, finished: Finished, place: Place | undefined): Promise<Choice> {
  const width = (process.stdout.columns || 80) - 6;
  const choice = await choose<Choice>({
    message: "What next?",
    options: [
      {
        value: "ui",
        label: "Learn in your browser",
        hint: "page, terminals, editor and cluster in one window",
      },
      ...(place ? [{ value: "continue" as const, label: cut(`Continue: ${place.label}`, width) }] : []),
      { value: "shell", label: "Build it yourself", hint: "a shell with everything set" },
      { value: "steps", label: "Watch it being built", hint: "you solve the exercises" },
      { value: "read", label: "Read a page" },
      { value: "tour", label: finished.tour ? "Play the tour again" : "Play the tour", hint: "2 minutes" },
      ...(finished.last === undefined
        ? []
        : [{ value: "anew" as const, label: "Start a page over", hint: "moves your folder aside" }]),
      { value: "quit", label: "Quit", hint: "stops the cluster, keeps your folders" },
    ],
    initialValue: usedBefore(finished, place),
    signal: menu.signal,
  });
  return choice ?? "quit";
}

/** Returns the choice that goes on as the learner has worked last. */
function usedBefore({ used }: Finished, place: Place | undefined): Choice {
  if (used === "ui" || used === "steps") return used;
  if (place) return "continue";
  return used ?? "ui";
}

function lastPage({ pages }: Menu, { last }: Finished): PageFile | undefined {
  return pages.find(({ name }) => name === last);
}

/** Asks for a page. Undefined: back to the menu. */
async function choosePage(
  { pages, signal, work }: Menu,
  finished: Finished,
  initial: PageFile | undefined,
): Promise<PageFile | undefined> {
  if (pages.length === 1) return pages[0];
  return choose<PageFile>({
    message: "Which page?",
    options: pages.map((file) => optionOf(file, finished, work)),
    ...(initial && { initialValue: initial }),
    signal,
  });
}

/** Returns the entry of a page: `✓ 01-podbuggertool/1  PodBuggerTool, from the laptop`, and its summary. */
function optionOf(
  file: PageFile,
  finished: Finished,
  work: string,
): { value: PageFile; label: string; hint?: string } {
  const page = readPage(file);
  const { title, summary, minutes } = page.frontMatter;
  const states = existingStates(page, file, finished, work);
  const done = states.filter((state) => state.finished).length;
  const mark = done === 0 ? "" : done === states.length ? "✓ " : `${done}/${states.length} `;
  const hint = [summary, minutes && `${minutes} minutes`].filter(Boolean).join(" ");
  const lacking = missingPrograms(page, process.env);
  const needs = lacking.length === 0 ? "" : `(needs ${lacking.join(", ")}) `;
  const label = cut(`${mark}${file.name}  ${needs}${title}`, (process.stdout.columns || 80) - 6);
  return { value: file, label, ...(hint && { hint }) };
}

/** Runs the page's steps, and remembers which of them the learner has watched. */
async function watch({ root, work, signal }: Menu, file: PageFile, finished: Finished): Promise<void> {
  await whatIsMissingFor([file]);
  const states = stepStates(readPage(file), file.name, finished, "watched");
  const next = nextStep(states);
  const begun = next && next.number > 1;
  const from = begun ? await askWhereToWatch(next, signal) : undefined;
  if (from === "cancelled") return;
  const attempts = join(workshopsOf(root, basename(dirname(file.path))), "exercises");
  const ran = await runStepwise(file, signal, attempts, from === "beginning" ? undefined : from);
  const known = states.flatMap(({ step, finished: watched }) => (watched ? step.slug : []));
  // Clean up runs at the end of every run.
  const seen = ran.length < states.length ? ran.filter((slug) => slug !== "clean-up") : ran;
  await changeFinished(work, (before) =>
    withSteps(before, file.name, "watched", [...new Set([...known, ...seen])]),
  );
}

/** Returns the slug of the step, or `beginning`. */
async function askWhereToWatch(next: StepState, signal: AbortSignal): Promise<string> {
  const answer = await choose<string>({
    message: `You have watched ${next.number - 1} ${next.number === 2 ? "step" : "steps"}.`,
    options: [
      {
        value: next.step.slug,
        label: cut(`Continue at step ${next.number}: ${next.step.title}`, (process.stdout.columns || 80) - 6),
        hint: "the earlier steps run first",
      },
      { value: "beginning", label: "From the first step" },
    ],
    signal,
  });
  return answer ?? "cancelled";
}

/** Opens the learner's shell, and asks afterwards how far the learner got. */
async function buildByHand(menu: Menu, file: PageFile, goOn: boolean): Promise<void> {
  await changeFinished(menu.work, (before) => ({ ...before, used: "shell", opened: file.name }));
  const page = readPage(file);
  const lacking = await programsToInstall(page);
  if (lacking !== undefined) log.warn(lacking);
  await menu.sessions.goBackTo(file.name);
  const session = await menu.sessions.of(file.name);
  const { finished } = await readFinished(menu.work);
  const states = existingStates(page, file, finished, menu.work);
  const opened = await openShell({ session, file, page, goOn, states }, menu.undo);
  if (opened === "cancelled") return;
  if (opened === "left") {
    // Now, because a session that is killed saves nothing. The question takes longer.
    const saved = menu.sessions.save(basename(dirname(file.path)));
    const worked = await pageWorkedOn(menu, file, finished);
    await askHowFar(menu, worked, readPage(worked)).finally(() => saved);
    return;
  }
  await beginPageAnew(menu, file);
  await buildByHand(menu, file, true);
}

/**
 * Returns the page that a learner worked on in a shell: another one of the tutorial than the shell was opened for, if
 * `check` or `catch-up` recorded steps of that page since.
 */
async function pageWorkedOn({ all, work }: Menu, opened: PageFile, before: Finished): Promise<PageFile> {
  const { finished: after } = await readFinished(work);
  const last = all.find(({ name, path }) => name === after.last && dirname(path) === dirname(opened.path));
  const changed = last && !isDeepStrictEqual(after.pages[last.name], before.pages[last.name]);
  return changed ? last : opened;
}

async function askHowFar({ work, signal }: Menu, file: PageFile, page: Page): Promise<void> {
  const { finished } = await readFinished(work);
  const states = existingStates(page, file, finished, work);
  const width = (process.stdout.columns || 80) - 6;
  const answer = await choose<number>({
    message: `Where will you continue next time? (${file.name})`,
    options: [
      ...states.map(({ step, number, finished: done }) => ({
        value: number,
        label: cut(`${done ? "✓" : " "} Step ${number} of ${states.length}: ${step.title}`, width),
      })),
      { value: states.length + 1, label: "The page is finished" },
    ],
    initialValue: nextStep(states)?.number ?? states.length + 1,
    maxItems: 14,
    signal,
  });
  if (answer === undefined) return;
  const done = states.filter(({ number }) => number < answer).map(({ step }) => step.slug);
  await changeFinished(work, (before) => withSteps(before, file.name, "done", done));
}

async function isSure({ signal }: Menu, { name }: PageFile): Promise<boolean> {
  const answer = await choose<boolean>({
    message: `Start ${name} over? Your folder is moved aside, and the cluster starts empty.`,
    options: [
      { value: true, label: "Start over" },
      { value: false, label: "Go back" },
    ],
    signal,
  });
  return answer === true;
}

async function beginPageAnew({ root, sessions, pages }: Menu, file: PageFile): Promise<void> {
  const aside = await beginAnew(file, pages, { root, sessions });
  wrappedLog.info(aside === undefined ? "There was nothing to move aside." : `What you had is in ${aside}`);
}

/** Reports an error that a person can fix, and returns to the menu. */
async function reportUserErrors(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    wrappedLog.error(error.message);
  });
}
