import { intro, outro, spinner } from "@clack/prompts";
import { interruptible } from "../interruptible.ts";
import type { PageFile } from "../pages.ts";
import { showMenu } from "./menu.ts";
import { showPayoff } from "./payoff.ts";
import { openSession, type Session } from "./session.ts";

/**
 * `pnpm start` in front of a person: the payoff, then the menu. Whatever happens, also Ctrl+C and a closed terminal,
 * the operator, the cluster and every temporary file are gone afterwards. Resolves to the exit status.
 */
export async function startInteractively(root: string, pages: readonly PageFile[]): Promise<number> {
  intro("operator-path: Kubernetes operators in TypeScript");
  const status = await interruptible(async (signal) => {
    await using undo = new AsyncDisposableStack();
    const session = await openWithProgress(root, signal, undo);
    const operator = await showPayoff(session, undo);
    await showMenu(session, pages, operator, undo);
    return 0;
  });
  outro("Everything is stopped and cleaned up. `pnpm start` begins anew, `pnpm cluster up` keeps a cluster.");
  return status;
}

async function openWithProgress(
  root: string,
  signal: AbortSignal,
  undo: AsyncDisposableStack,
): Promise<Session> {
  const progress = spinner();
  const begin = performance.now();
  progress.start("Starting a cluster: a real Kubernetes API with simulated nodes, on this machine");
  try {
    const session = await openSession({ root, tutorial: "01-podbuggertool", signal }, undo);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    progress.stop(`A cluster is up at ${session.url} (${seconds} s)`);
    return session;
  } catch (error) {
    progress.error("The cluster could not be started");
    throw error;
  }
}
