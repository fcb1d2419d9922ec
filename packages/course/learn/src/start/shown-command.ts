import { spawn } from "node:child_process";
import { once } from "node:events";
import { UserError } from "@operator-path/cluster/user-error";
import colors from "picocolors";
import type { Session } from "./session.ts";

/**
 * Prints `$ <command>` and runs it on this terminal: what the learner sees is what the program wrote. Resolves to its
 * exit status. Throws when the session is aborted.
 */
export async function showCommand(command: string, session: Session): Promise<number> {
  session.signal.throwIfAborted();
  console.log(`${colors.dim("$")} ${colors.bold(command)}`);
  return runCommand(command, session);
}

/** The same without the line. Commands run with bash; default folder: the tutorial's. */
export function runCommand(command: string, { env, signal, tutorial }: Session): Promise<number> {
  return runProgram("bash", ["-c", command], { env, cwd: tutorial, signal });
}

/** Runs a program on this terminal; resolves to its exit status. Throws when the session is aborted. */
export async function runProgram(
  program: string,
  args: readonly string[],
  o: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly signal: AbortSignal },
): Promise<number> {
  o.signal.throwIfAborted();
  const child = spawn(program, args, { cwd: o.cwd, env: o.env, stdio: "inherit" });
  // A shell is told of a closed window by no one else while a program runs in it, such as `kubectl logs --follow`.
  const hangUp = (): unknown => child.kill("SIGHUP");
  o.signal.addEventListener("abort", hangUp, { once: true });
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  o.signal.removeEventListener("abort", hangUp);
  o.signal.throwIfAborted();
  return code ?? (signal === "SIGINT" ? 130 : 1);
}

/** The same for a command on which the next one builds: throws when it fails. */
export async function mustShow(command: string, session: Session): Promise<void> {
  const status = await showCommand(command, session);
  if (status !== 0) throw new UserError(`${command} exited with ${status}, so the demonstration ends here`);
}

/** Runs a command without showing it; its trimmed standard output. */
export async function ask(command: string, session: Session): Promise<string> {
  const child = spawn("bash", ["-c", command], {
    cwd: session.tutorial,
    env: session.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  session.signal.throwIfAborted();
  if (code !== 0) throw new Error(`${command} exited with ${code}`);
  return output.trim();
}
