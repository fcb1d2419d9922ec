import { join } from "node:path";
import { isCancel, log, select } from "@clack/prompts";
import { quote } from "@operator-path/tools";
import { installedStore, type Page } from "@operator-path/walkthrough";
import colors from "picocolors";
import { unlessAborted } from "../closed-terminal.ts";
import { numberedExercises } from "../exercise/find.ts";
import type { StepState } from "../finished-steps.ts";
import { type PageFile, shortPath } from "../pages.ts";
import { withProgress } from "./progress.ts";
import type { Session } from "./session.ts";
import { prepareShell } from "./shell-startup.ts";
import { runProgram } from "./shown-command.ts";
import { hasWork, openWorkshop, projectOf, type Workshop, workshopFolder } from "./workshop.ts";

export interface LearnerShellOptions {
  readonly session: Session;
  readonly file: PageFile;
  readonly page: Page;
  /** Go on in an existing folder without a question. */
  readonly goOn: boolean;
  /** The step where the learner goes on. Undefined: all steps are finished. */
  readonly next: StepState | undefined;
}

/**
 * Opens a shell in the learner's own folder, in which the learner can follow the page word for word. Resolves
 * when the learner has left it. Resolves to `anew` or `cancelled`, without a shell, if that is the learner's
 * answer to the question whether to go on in the existing folder.
 */
export async function openShell(
  { session, file, page, goOn, next }: LearnerShellOptions,
  undo: AsyncDisposableStack,
): Promise<"left" | "anew" | "cancelled"> {
  const begun = await hasWork(workshopFolder(session, projectOf(page)));
  if (begun && !goOn) {
    const answer = await askWhetherToGoOn(session, projectOf(page));
    if (answer !== "continue") return answer;
  }
  const workshop = await openWithProgress(session, page, undo);
  const { folder, opensIn, environmentFile, fishFile } = workshop;
  const directory = join(session.directory, "shell");
  const shell = await prepareShell({ env: session.env, files: workshop, directory });
  if (shell.note !== undefined) log.warn(shell.note);
  const path = shortPath(file.path, process.cwd());
  const short = shortPath(folder, process.cwd());
  log.info(
    [
      next === undefined || next.number === 1
        ? `Follow ${path}\nfrom its first step.`
        : `Go on with ${path}:${next.step.line},\nstep ${next.number}: ${next.step.title}`,
      opensIn === folder
        ? `Your folder is ${short};\nit stays when you leave.`
        : `Your folder will be ${short},\nonce the page has made it; it stays when you leave.`,
      `${colors.cyan("check")} says whether you are right so far, ${colors.cyan("learn --help")} lists more.`,
      next && next.number > 1
        ? `${colors.cyan("catch-up --objects")} makes the page's objects in the cluster again.`
        : `${colors.cyan("catch-up")} completes your next step as the page has it.`,
      ...(await exercisesOf(page, session.root)),
      `In another terminal:  ${colors.cyan(`. ${quote(environmentFile)}`)}`,
      `  (fish: ${colors.cyan(`source ${quote(fishFile)}`)})`,
      `${colors.cyan("exit")} brings you back here.`,
    ].join("\n"),
  );
  await runProgram(shell.program, shell.args, { env: shell.env, cwd: opensIn, signal: session.signal });
  return "left";
}

/** Returns the command that begins the first exercise, for a page with exercises. */
async function exercisesOf(page: Page, root: string): Promise<string[]> {
  const [first] = await numberedExercises(page, root);
  if (!first) return [];
  return [`For its exercises:  ${colors.cyan(`exercise ${first.number} begin`)}, then check, hint, solution`];
}

/** Asks whether to go on in the existing folder. */
async function askWhetherToGoOn(
  session: Session,
  project: string,
): Promise<"continue" | "anew" | "cancelled"> {
  const folder = workshopFolder(session, project);
  const choice = await unlessAborted(
    select<"continue" | "anew">({
      message: `You have begun in ${shortPath(folder, process.cwd())}.`,
      options: [
        { value: "continue", label: "Go on there" },
        { value: "anew", label: "Begin anew", hint: "what is there is moved aside, not deleted" },
      ],
      signal: session.signal,
    }),
    session.signal,
  );
  return isCancel(choice) ? "cancelled" : choice;
}

async function openWithProgress(session: Session, page: Page, undo: AsyncDisposableStack): Promise<Workshop> {
  const offline = (await installedStore(session.root)) !== undefined;
  return withProgress(
    {
      doing: "Making what the page begins with, and packing its libraries",
      done: () =>
        offline
          ? "`pnpm install` needs no network here"
          : "`pnpm install` asks the registry here: pnpm's store of the repository's install cannot be used. Installing the repository again fills one.",
      failed: "What the page begins with could not be made",
    },
    () => openWorkshop(session, page, undo),
  );
}
