import { dirname, join } from "node:path";
import { intro, log, outro } from "@clack/prompts";
import { UserError } from "@operator-path/cluster/user-error";
import { changeFinished, readFinished } from "../finished-steps.ts";
import { interruptible } from "../interruptible.ts";
import { whatIsMissingFor } from "../missing-programs.ts";
import { listPages, type PageFile } from "../pages.ts";
import { pnpmCommand } from "../pnpm-command.ts";
import { wrappedLog } from "../wrapped-log.ts";
import { showMenu } from "./menu.ts";
import { showPayoff } from "./payoff.ts";
import { workshopsOf } from "./session.ts";
import { openWithProgress } from "./sessions.ts";

const tourTutorial = "01-podbuggertool";

export interface InteractiveOptions {
  /** The person named the pages: the first one that is not finished opens at once. Otherwise, the tour is first. */
  readonly named: boolean;
}

/**
 * `pnpm start` in a terminal: the tour once, or a named page, then the menu of these pages. Afterwards the
 * operator, the cluster and every temporary file are removed, also after Ctrl+C or a closed terminal. Resolves
 * to the exit status. Throws UserError for a page outside of the tutorials, and if the machine lacks programs
 * that every page needs.
 */
export async function startInteractively(
  root: string,
  pages: readonly PageFile[],
  { named }: InteractiveOptions,
): Promise<number> {
  const elsewhere = pages.find(({ path }) => dirname(dirname(path)) !== join(root, "tutorials"));
  if (elsewhere)
    throw new UserError(`${elsewhere.name} is not a tutorial page: use \`pnpm verify\` to run it`);
  const missing = await whatIsMissingFor(pages);
  intro("operator-path: Kubernetes operators in TypeScript");
  if (missing !== undefined) log.warn(missing);
  const { finished, warning } = await readFinished(workshopsOf(root));
  if (warning !== undefined) wrappedLog.warn(warning);
  const status = await interruptible(async (signal) => {
    await using undo = new AsyncDisposableStack();
    if (!named && !finished.tour && finished.last === undefined) await playTour(root, signal);
    const all = await listPages(root);
    await showMenu({ root, pages, all, opens: named, signal, playTour: () => playTour(root, signal) }, undo);
    return 0;
  }, process.stdin);
  outro(
    `Everything is stopped and cleaned up.\n\`${await pnpmCommand(process.env)} start\` continues where you left off.`,
  );
  return status;
}

/** Shows the result of the first tutorial on a cluster of its own, and remembers that the learner has seen it. */
async function playTour(root: string, signal: AbortSignal): Promise<void> {
  await using undo = new AsyncDisposableStack();
  await showPayoff(await openWithProgress({ root, tutorial: tourTutorial, signal }, undo), undo);
  await changeFinished(workshopsOf(root), (finished) => ({ ...finished, tour: true }));
}
