import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import type { Session } from "./session.ts";

/** How long the operator may take until it watches, in milliseconds. */
const patienceMs = 60_000;

/** The line that the operator prints when its caches have synced. */
const readyLine = "PodBuggerTool is watching";

/**
 * Runs the finished operator beside the learner's terminal, and resolves when it watches. `undo` ends it. It has
 * its own terminal, so it gets a SIGHUP when this process ends in any way. Throws with its last lines if it
 * ends early.
 */
export async function startOperator(session: Session, undo: AsyncDisposableStack): Promise<void> {
  const project = join(session.tutorial, "podbuggertool");
  const main = join("src", "main.ts");
  const tsx = join(project, "node_modules", ".bin", "tsx");
  const terminal = spawn(tsx, ["--conditions=@operator-path/source", main], {
    cwd: project,
    env: { ...session.env, NO_COLOR: "1", TMPDIR: session.temporary },
    cols: 200,
  });
  let output = "";
  const watching = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  const fail = (why: string): void => watching.reject(new Error(`the operator ${why}\n${tail(output)}`));
  terminal.onData((data) => {
    output = (output + data).slice(-10_000);
    if (output.includes(readyLine)) watching.resolve();
  });
  terminal.onExit(({ exitCode }) => {
    exited.resolve();
    fail(`ended with ${exitCode}`);
  });
  undo.defer(async () => {
    terminal.kill("SIGTERM");
    await exited.promise;
  });
  const timer = setTimeout(() => fail(`is not watching after ${patienceMs / 1000} s`), patienceMs);
  const interrupt = (): void => watching.reject(session.signal.reason);
  session.signal.addEventListener("abort", interrupt, { once: true });
  try {
    await watching.promise;
  } finally {
    clearTimeout(timer);
    session.signal.removeEventListener("abort", interrupt);
  }
}

function tail(output: string): string {
  return output.trimEnd().split("\n").slice(-15).join("\n");
}
