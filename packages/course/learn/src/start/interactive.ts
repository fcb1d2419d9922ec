import { basename, dirname, join } from "node:path";
import { intro, log, outro } from "@clack/prompts";
import { UserError } from "@operator-path/cluster/user-error";
import { interruptible } from "../interruptible.ts";
import { whatIsMissingFor } from "../missing-programs.ts";
import type { PageFile } from "../pages.ts";
import { showMenu } from "./menu.ts";
import { showPayoff } from "./payoff.ts";
import { withProgress } from "./progress.ts";
import { openSession, type Session, type SessionOptions } from "./session.ts";

const payoffTutorial = "01-podbuggertool";

export interface InteractiveOptions {
  /** Begin with the payoff of tutorial 01. False if the person named pages. */
  readonly payoff: boolean;
}

/**
 * `pnpm start` in a terminal: the payoff, then the menu of these pages. Afterwards the operator, the
 * cluster and every temporary file are removed, also after Ctrl+C or a closed terminal. Resolves to the exit
 * status. Throws UserError for a page outside of the tutorials, and if the machine lacks programs that every
 * page needs.
 */
export async function startInteractively(
  root: string,
  pages: readonly PageFile[],
  { payoff }: InteractiveOptions,
): Promise<number> {
  const elsewhere = pages.find(({ path }) => dirname(dirname(path)) !== join(root, "tutorials"));
  if (elsewhere) throw new UserError(`${elsewhere.name} is no page of a tutorial: \`pnpm verify\` runs it`);
  const missing = await whatIsMissingFor(pages);
  intro("operator-path: Kubernetes operators in TypeScript");
  if (missing !== undefined) log.warn(missing);
  const status = await interruptible(async (signal) => {
    await using undo = new AsyncDisposableStack();
    const tutorial = payoff ? payoffTutorial : basename(dirname(pages[0]?.path ?? payoffTutorial));
    const session = await openWithProgress({ root, tutorial, signal }, undo);
    const operator = payoff ? await showPayoff(session, undo) : undefined;
    await showMenu(session, pages, operator, undo);
    return 0;
  }, process.stdin);
  outro("Everything is stopped and cleaned up. `pnpm start` begins anew, `pnpm cluster up` keeps a cluster.");
  return status;
}

function openWithProgress(options: SessionOptions, undo: AsyncDisposableStack): Promise<Session> {
  const begin = performance.now();
  const seconds = (): string => ((performance.now() - begin) / 1000).toFixed(1);
  return withProgress(
    {
      doing: "Starting a cluster: a real Kubernetes API with simulated nodes, on this machine",
      done: ({ url }) => `A cluster is up at ${url} (${seconds()} s)`,
      failed: "The cluster could not be started",
    },
    () => openSession(options, undo),
  );
}
