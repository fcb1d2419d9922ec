import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { log } from "@clack/prompts";
import { quote } from "@operator-path/tools";
import { installedStore, type Page } from "@operator-path/walkthrough";
import { choose } from "../choose.ts";
import { colors } from "../colors.ts";
import { variablesToSet } from "../commands/commands-to-run.ts";
import { numberedExercises } from "../exercise/find.ts";
import { nextStep, type StepState } from "../finished-steps.ts";
import { type PageFile, shortPath } from "../pages.ts";
import { withProgress } from "./progress.ts";
import type { Session } from "./session.ts";
import { prepareShell } from "./shell-startup.ts";
import { runProgram } from "./shown-command.ts";
import { hasWork, openWorkshop, projectOf, type Workshop, workshopFolder } from "./workshop.ts";

const twoSessions = `Another \`start\` of this tutorial seems to be open. It has the same folder, but a cluster of its own.
It does not see what you create here. Unless you want two clusters, leave one of them.`;

export interface LearnerShellOptions {
  readonly session: Session;
  readonly file: PageFile;
  readonly page: Page;
  /** Go on in an existing folder without a question, unless it has the page's result and no step is finished. */
  readonly goOn: boolean;
  /** The steps of the page, and which of them the learner has finished. */
  readonly states: readonly StepState[];
}

/**
 * Opens a shell in the learner's own folder, in which the learner can follow the page word for word. Resolves
 * when the learner has left it. Resolves to `anew` or `cancelled`, without a shell, if that is the learner's
 * answer to the question whether to go on in the existing folder.
 */
export async function openShell(
  { session, file, page, goOn, states }: LearnerShellOptions,
  undo: AsyncDisposableStack,
): Promise<"left" | "anew" | "cancelled"> {
  const begun = await hasWork(workshopFolder(session, projectOf(page)));
  const next = nextStep(states);
  const isAhead = begun && !states.some(({ finished }) => finished) && hasResult(session, page);
  if (isAhead || (begun && !goOn)) {
    const answer = await askWhetherToGoOn(session, projectOf(page), isAhead);
    if (answer !== "continue") return answer;
  }
  const workshop = await openWithProgress(session, page, undo);
  session.signal.throwIfAborted();
  const { folder, opensIn, isShared, environmentFile, fishFile } = workshop;
  const variables = next && next.number > 1 ? variablesToSet(page, next.step) : [];
  if (variables.length > 0)
    log.info(
      [
        "This shell is new. Set these variables again, in their terminals:",
        ...variables.map(
          ({ text, line, terminal }) => `  ${text}   (${basename(file.path)}:${line}, terminal ${terminal})`,
        ),
      ].join("\n"),
    );
  const directory = join(session.directory, "shell");
  const shell = await prepareShell({ env: session.env, files: workshop, directory });
  if (shell.note !== undefined) log.warn(shell.note);
  if (isShared) log.warn(twoSessions);
  const path = shortPath(file.path, process.cwd());
  const short = shortPath(folder, process.cwd());
  log.info(
    [
      next === undefined
        ? `You have finished ${path}.`
        : next.number === 1
          ? `Follow ${path}\nfrom its first step.`
          : `Go on with ${path}:${next.step.line},\nstep ${next.number}: ${next.step.title}`,
      `${colors.cyan(`learn read ${file.name}`)} shows it here.`,
      opensIn === folder
        ? `Your folder, which stays when you leave:\n  ${short}`
        : `Your folder, once the page has made it:\n  ${short}`,
      `${colors.cyan("check")} says whether you are right so far, ${colors.cyan("learn --help")} lists more.`,
      next?.number !== 1
        ? `${colors.cyan("catch-up --objects")} applies the page's objects again, if some are missing,\nand lists what else to run.`
        : `${colors.cyan("catch-up")} completes your next step as the page has it.`,
      ...(await nextExercise(page, session.root, next)),
      `In another terminal:  ${colors.cyan(`. ${quote(environmentFile)}`)}`,
      `  (fish: ${colors.cyan(`source ${quote(fishFile)}`)})`,
      `${colors.cyan("exit")} brings you back here.`,
    ].join("\n"),
  );
  await runProgram(shell.program, shell.args, { env: shell.env, cwd: opensIn, signal: session.signal });
  return "left";
}

/** Returns the command that begins the next exercise, if an unfinished step has one. */
async function nextExercise(page: Page, root: string, next: StepState | undefined): Promise<string[]> {
  const lineOf = (slug: string): number => page.steps.find((step) => step.slug === slug)?.line ?? 0;
  const all = await numberedExercises(page, root);
  const open = all.find(({ exercise }) => lineOf(exercise.slug) >= (next?.step.line ?? Infinity));
  if (!open) return [];
  const exercise = `exercise ${open.number}`;
  return [
    `For its exercises:  ${colors.cyan(`${exercise} begin`)}, then ${colors.cyan(`${exercise} check`)}`,
    `  (${colors.cyan("hint")} or ${colors.cyan("solution")} in place of ${colors.cyan("check")}, if you need it)`,
  ];
}

/** Reports whether the folder has all files that the page writes, as after a start of a later page. */
function hasResult({ workshops }: Session, page: Page): boolean {
  const files = page.steps.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === "write" ? block.file : [])),
  );
  return files.length > 0 && files.every((file) => existsSync(join(workshops, file)));
}

/**
 * Asks whether to go on in the existing folder.
 *
 * @param isAhead the folder has the page's result, and the learner has finished none of its steps
 */
async function askWhetherToGoOn(
  session: Session,
  project: string,
  isAhead: boolean,
): Promise<"continue" | "anew" | "cancelled"> {
  const folder = workshopFolder(session, project);
  const short = shortPath(folder, process.cwd());
  const goOn = { value: "continue" as const, label: "Continue there" };
  const anew = {
    ...{ value: "anew" as const, label: "Start over" },
    hint: "your files are moved aside, not deleted",
  };
  const choice = await choose<"continue" | "anew">({
    message: isAhead
      ? `${short} has the result of this page already.`
      : `You have already started in ${short}.`,
    options: isAhead ? [anew, goOn] : [goOn, anew],
    signal: session.signal,
  });
  return choice ?? "cancelled";
}

async function openWithProgress(session: Session, page: Page, undo: AsyncDisposableStack): Promise<Workshop> {
  const offline = (await installedStore(session.root)) !== undefined;
  return withProgress(
    {
      doing: "Preparing the page's starting files, and packing its libraries",
      done: () =>
        offline
          ? "The starting files are ready. `pnpm install` needs no network there."
          : "`pnpm install` needs the network here, because the store of the repository's install cannot be used. To fill one, install the repository again.",
      failed: "The page's starting files could not be prepared",
    },
    () => openWorkshop(session, page, undo),
  );
}
