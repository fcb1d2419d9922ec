import { isCancel, log, select } from "@clack/prompts";
import { UserError } from "@operator-path/cluster/user-error";
import { type PageFile, shortPath } from "../pages.ts";
import type { Session } from "./session.ts";
import { runCommand } from "./shown-command.ts";

type Choice = "build" | "shell" | "read" | "quit";

/** What next? Until the learner leaves. */
export async function showMenu(session: Session, page: PageFile): Promise<void> {
  for (;;) {
    const choice = await select<Choice>({
      message: "You have seen what it does. What next?",
      options: [
        { value: "build", label: "Build it", hint: "page 1, step by step, on a cluster of its own" },
        { value: "shell", label: "Open a shell", hint: "kubectl, KUBECONFIG and a folder of yours are set" },
        { value: "read", label: "Read the page", hint: "where it is" },
        { value: "quit", label: "Quit", hint: "stops the cluster" },
      ],
      signal: session.signal,
    });
    if (isCancel(choice) || choice === "quit") return;
    if (choice === "read")
      log.info(`${shortPath(page.path, process.cwd())} — open it in your editor's preview`);
    if (choice === "shell") await openShell(session);
    if (choice === "build") await build(page, session.signal);
  }
}

async function build(page: PageFile, signal: AbortSignal): Promise<void> {
  // Only whoever builds needs what runs pages.
  const { runStepwise } = await import("./run-stepwise.ts");
  await runStepwise(page, signal).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    log.error(error.message);
  });
}

async function openShell(session: Session): Promise<void> {
  log.info(
    `a shell in ${session.work}; \`exit\` brings you back. The operator from before is still running.`,
  );
  await runCommand(`cd "${session.work}" && exec "\${SHELL:-bash}" -i`, session);
}
