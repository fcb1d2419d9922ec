import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isCancel, log, select } from "@clack/prompts";
import { UserError } from "@operator-path/cluster/user-error";
import { parsePage } from "@operator-path/walkthrough";
import { unlessAborted } from "../closed-terminal.ts";
import { whatIsMissingFor } from "../missing-programs.ts";
import { type PageFile, shortPath } from "../pages.ts";
import { openShell } from "./learner-shell.ts";
import type { Operator } from "./operator.ts";
import { clearStage } from "./payoff.ts";
import { withProgress } from "./progress.ts";
import { runStepwise } from "./run-stepwise.ts";
import { openSession, type Session, workshopsOf } from "./session.ts";

type Choice = "shell" | "steps" | "read" | "quit";

/**
 * Shows the menu until the learner leaves.
 *
 * @param operator the operator of the payoff. It stops before the learner follows a page on its cluster
 */
export async function showMenu(
  session: Session,
  pages: readonly PageFile[],
  operator: Operator | undefined,
  undo: AsyncDisposableStack,
): Promise<void> {
  let shown = operator;
  const sessions = new Map([[session.tutorial, session]]);
  /** Each tutorial has its own cluster, with the nodes of its kind-cluster.yaml. */
  async function sessionOf(page: PageFile): Promise<Session> {
    const tutorial = dirname(page.path);
    const open = sessions.get(tutorial) ?? (await openAnother(session, basename(tutorial), undo));
    sessions.set(tutorial, open);
    return open;
  }
  for (;;) {
    const choice = await unlessAborted(
      select<Choice>({
        message: operator ? "You have seen what it does. What next?" : "What next?",
        options: [
          {
            value: "shell",
            label: "Build it yourself",
            hint: "a shell with everything set, beside the page",
          },
          {
            value: "steps",
            label: "Watch it being built",
            hint: "the page's steps, run on a cluster of their own; exercises are yours",
          },
          { value: "read", label: "Read the page", hint: "where it is" },
          { value: "quit", label: "Quit", hint: "stops the cluster, keeps your folder" },
        ],
        signal: session.signal,
      }),
      session.signal,
    );
    if (isCancel(choice) || choice === "quit") return;
    const page = await choosePage(session, pages);
    if (page === undefined) continue;
    if (choice === "read")
      log.info(`${shortPath(page.path, process.cwd())}\nOpen it in your editor's preview.`);
    if (choice === "shell") {
      const own = await sessionOf(page);
      if (own === session && shown) {
        await clearStage(session, shown);
        shown = undefined;
      }
      await reportUserErrors(openShell(own, page, undo));
    }
    if (choice === "steps") {
      const attempts = join(workshopsOf(session.root, basename(dirname(page.path))), "exercises");
      await reportUserErrors(
        whatIsMissingFor([page]).then(() => runStepwise(page, session.signal, attempts)),
      );
    }
  }
}

function openAnother(
  { root, signal }: Session,
  tutorial: string,
  undo: AsyncDisposableStack,
): Promise<Session> {
  return withProgress(
    {
      doing: `Starting a cluster for ${tutorial}`,
      done: ({ url }) => `A cluster for ${tutorial} is up at ${url}`,
      failed: "The cluster could not be started",
    },
    () => openSession({ root, tutorial, signal }, undo),
  );
}

/** Asks for a page. Undefined: back to the menu. */
async function choosePage(session: Session, pages: readonly PageFile[]): Promise<PageFile | undefined> {
  if (pages.length === 1) return pages[0];
  const choice = await unlessAborted(
    select<PageFile>({
      message: "Which page?",
      options: await Promise.all(pages.map(optionOf)),
      signal: session.signal,
    }),
    session.signal,
  );
  return isCancel(choice) ? undefined : choice;
}

/** Returns the entry of a page: `01-podbuggertool/1  PodBuggerTool, from the laptop`, and its summary. */
async function optionOf(page: PageFile): Promise<{ value: PageFile; label: string; hint?: string }> {
  const { title, summary, minutes } = parsePage(await readFile(page.path, "utf8"), page.path).frontMatter;
  const hint = [summary, minutes && `${minutes} minutes`].filter(Boolean).join(" ");
  return { value: page, label: `${page.name}  ${title}`, ...(hint && { hint }) };
}

/** Reports an error that a person can fix, and returns to the menu. */
async function reportUserErrors(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    log.error(error.message);
  });
}
