import { isCancel, log, select, spinner } from "@clack/prompts";
import colors from "picocolors";
import { unlessAborted } from "../closed-terminal.ts";
import { shortPath } from "../pages.ts";
import { quote } from "./learner-environment.ts";
import type { Session } from "./session.ts";
import { runCommand } from "./shown-command.ts";
import { hasWork, openWorkshop, setAside, type Workshop, workshopFolder } from "./workshop.ts";

/** A shell in the learner's own folder, in which the page can be followed word for word. */
export async function openShell(
  session: Session,
  project: string,
  page: string,
  undo: AsyncDisposableStack,
): Promise<void> {
  if (!(await chooseFolder(session, project))) return;
  const { folder, environmentFile } = await openWithProgress(session, project, undo);
  log.info(
    [
      `Follow ${page} from its first step.`,
      `Your folder is ${folder}; it stays when you leave.`,
      `In another terminal:  ${colors.cyan(`. ${quote(environmentFile)}`)}`,
      `${colors.cyan("exit")} brings you back here.`,
    ].join("\n"),
  );
  await runCommand(`exec ${quote(session.env.SHELL || "bash")} -i`, session, folder);
}

/** Goes on where the learner left off, or moves that aside; false when neither is wanted. */
async function chooseFolder(session: Session, project: string): Promise<boolean> {
  const folder = workshopFolder(session, project);
  if (!(await hasWork(folder))) return true;
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
  if (isCancel(choice)) return false;
  if (choice === "anew") log.info(`What you had is in ${await setAside(folder)}`);
  return true;
}

async function openWithProgress(
  session: Session,
  project: string,
  undo: AsyncDisposableStack,
): Promise<Workshop> {
  const progress = spinner();
  progress.start("Packing the libraries that the page installs");
  try {
    const workshop = await openWorkshop(session, project, undo);
    progress.stop("`pnpm install` needs no network here");
    return workshop;
  } catch (error) {
    progress.error("The libraries could not be packed");
    throw error;
  }
}
