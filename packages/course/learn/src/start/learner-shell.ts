import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isCancel, log, select } from "@clack/prompts";
import { quote } from "@operator-path/tools";
import { installedStore, type Page, parsePage } from "@operator-path/walkthrough";
import colors from "picocolors";
import { unlessAborted } from "../closed-terminal.ts";
import { type PageFile, shortPath } from "../pages.ts";
import { withProgress } from "./progress.ts";
import type { Session } from "./session.ts";
import { prepareShell } from "./shell-startup.ts";
import { runProgram } from "./shown-command.ts";
import { hasWork, openWorkshop, projectOf, setAside, type Workshop, workshopFolder } from "./workshop.ts";

/** Opens a shell in the learner's own folder, in which the learner can follow the page word for word. */
export async function openShell(session: Session, file: PageFile, undo: AsyncDisposableStack): Promise<void> {
  const page = parsePage(await readFile(file.path, "utf8"), file.path);
  const begin = await chooseFolder(session, projectOf(page));
  if (begin === undefined) return;
  const workshop = await openWithProgress(session, page, undo);
  const { folder, opensIn, environmentFile, fishFile } = workshop;
  const directory = join(session.directory, "shell");
  const shell = await prepareShell({ env: session.env, files: workshop, directory });
  if (shell.note !== undefined) log.warn(shell.note);
  log.info(
    [
      whatNext[begin](shortPath(file.path, process.cwd())),
      opensIn === folder
        ? `Your folder is ${folder}; it stays when you leave.`
        : `Your folder will be ${folder}, once the page has made it; it stays when you leave.`,
      ...exercisesOf(page, file.name),
      `In another terminal:  ${colors.cyan(`. ${quote(environmentFile)}`)}   (fish: ${colors.cyan(`source ${quote(fishFile)}`)})`,
      `${colors.cyan("exit")} brings you back here.`,
    ].join("\n"),
  );
  await runProgram(shell.program, shell.args, { env: shell.env, cwd: opensIn, signal: session.signal });
}

/** Returns the command that begins an exercise, for a page with exercises. */
function exercisesOf(page: Page, name: string): string[] {
  const step = page.steps.find(({ blocks }) => blocks.some(({ kind }) => kind === "exercise"));
  if (!step) return [];
  const several = step.blocks.filter(({ kind }) => kind === "exercise").length > 1;
  const example = colors.cyan(`exercise ${name}@${step.slug}${several ? "/1" : ""} begin`);
  return [`For its exercises:  ${example}, then check, hint, solution`];
}

type Begin = "continue" | "anew";

const whatNext: Readonly<Record<Begin, (page: string) => string>> = {
  anew: (page) => `Follow ${page} from its first step.`,
  continue: (page) => `Go on with ${page}. The cluster of the earlier session was deleted.`,
};

/** Asks whether to go on in the existing folder, or to move it aside. Undefined: neither. */
async function chooseFolder(session: Session, project: string): Promise<Begin | undefined> {
  const folder = workshopFolder(session, project);
  if (!(await hasWork(folder))) return "anew";
  const choice = await unlessAborted(
    select<Begin>({
      message: `You have begun in ${shortPath(folder, process.cwd())}.`,
      options: [
        { value: "continue", label: "Go on there" },
        { value: "anew", label: "Begin anew", hint: "what is there is moved aside, not deleted" },
      ],
      signal: session.signal,
    }),
    session.signal,
  );
  if (isCancel(choice)) return undefined;
  if (choice === "anew") log.info(`What you had is in ${await setAside(folder)}`);
  return choice;
}

async function openWithProgress(session: Session, page: Page, undo: AsyncDisposableStack): Promise<Workshop> {
  const offline = (await installedStore(session.root)) !== undefined;
  return withProgress(
    {
      doing: "Making what the page begins with, and packing the libraries that it installs",
      done: () =>
        offline
          ? "`pnpm install` needs no network here"
          : "`pnpm install` asks the registry here: pnpm's store of the repository's install cannot be used. Installing the repository again fills one.",
      failed: "What the page begins with could not be made",
    },
    () => openWorkshop(session, page, undo),
  );
}
