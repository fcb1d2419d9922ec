import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import type { Session } from "./session.ts";

/** How long the operator may take until it watches. */
const patienceMs = 20_000;

/** The line that the operator writes when its caches are filled. */
const readyLine = "PodBuggerTool is watching";

/**
 * Runs the finished operator beside the learner's terminal, and resolves when it watches. It has a terminal of its
 * own, so that it is hung up on when this process ends, however it ends. Throws with its last lines if it ends early.
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
  let ended = false;
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`the operator ${why}\n${tail(output)}`));
    const timer = setTimeout(() => fail(`is not watching after ${patienceMs / 1000} s`), patienceMs);
    terminal.onData((data) => {
      output = (output + data).slice(-10_000);
      if (output.includes(readyLine)) resolve();
    });
    terminal.onExit(({ exitCode }) => {
      ended = true;
      fail(`ended with ${exitCode}`);
    });
    session.signal.addEventListener("abort", () => reject(session.signal.reason), { once: true });
    undo.defer(() => clearTimeout(timer));
    undo.defer(async () => {
      if (ended) return;
      const gone = new Promise<void>((exited) => terminal.onExit(() => exited()));
      terminal.kill("SIGTERM");
      await gone;
    });
  });
}

function tail(output: string): string {
  return output.trimEnd().split("\n").slice(-15).join("\n");
}
