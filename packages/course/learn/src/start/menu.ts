import { isCancel, log, select } from "@clack/prompts";
import { UserError } from "@operator-path/cluster/user-error";
import { unlessAborted } from "../closed-terminal.ts";
import { type PageFile, shortPath } from "../pages.ts";
import { openShell } from "./learner-shell.ts";
import type { Operator } from "./operator.ts";
import { clearStage } from "./payoff.ts";
import { runStepwise } from "./run-stepwise.ts";
import type { Session } from "./session.ts";

type Choice = "shell" | "steps" | "read" | "quit";

/** What next? Until the learner leaves. */
export async function showMenu(
  session: Session,
  page: PageFile,
  operator: Operator,
  undo: AsyncDisposableStack,
): Promise<void> {
  const path = shortPath(page.path, process.cwd());
  let cleared = false;
  for (;;) {
    const choice = await unlessAborted(
      select<Choice>({
        message: "You have seen what it does. What next?",
        options: [
          {
            value: "shell",
            label: "Build it yourself",
            hint: "a shell with everything set, beside the page",
          },
          {
            value: "steps",
            label: "Watch it being built",
            hint: "the page's steps, run on a cluster of their own",
          },
          { value: "read", label: "Read the page", hint: "where it is" },
          { value: "quit", label: "Quit", hint: "stops the cluster, keeps your folder" },
        ],
        signal: session.signal,
      }),
      session.signal,
    );
    if (isCancel(choice) || choice === "quit") return;
    if (choice === "read") log.info(`${path}\nOpen it in your editor's preview.`);
    if (choice === "shell") {
      if (!cleared) await clearStage(session, operator);
      cleared = true;
      await forgiving(openShell(session, "podbuggertool", path, undo));
    }
    if (choice === "steps") await forgiving(runStepwise(page, session.signal));
  }
}

/** What a person can mend ends the choice, not the session. */
async function forgiving(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    log.error(error.message);
  });
}
