import { spawn } from "node:child_process";
import { once } from "node:events";
import { UserError } from "@operator-path/cluster/user-error";
import { colors } from "../colors.ts";
import type { Session } from "./session.ts";

/**
 * Prints `$ <command>`, and runs it on this terminal. Resolves to its exit status. Throws when the session is
 * aborted.
 */
export async function showCommand(command: string, session: Session): Promise<number> {
  session.signal.throwIfAborted();
  console.log(`${colors.dim("$")} ${colors.bold(command)}`);
  return runCommand(command, session);
}

/** The same without the printed line. Runs commands with bash in the tutorial's folder. */
export function runCommand(command: string, { env, signal, tutorial }: Session): Promise<number> {
  return runProgram("bash", ["-c", command], { env, cwd: tutorial, signal });
}

/** Runs a program on this terminal. Resolves to its exit status. Throws when the session is aborted. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly signal: AbortSignal },
): Promise<number> {
  options.signal.throwIfAborted();
  const child = spawn(program, args, { cwd: options.cwd, env: options.env, stdio: "inherit" });
  // While a program such as `kubectl logs --follow` runs in it, a shell gets no other signal from a closed
  // window.
  const hangUp = (): unknown => child.kill("SIGHUP");
  options.signal.addEventListener("abort", hangUp, { once: true });
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  options.signal.removeEventListener("abort", hangUp);
  options.signal.throwIfAborted();
  return code ?? (signal === "SIGINT" ? 130 : 1);
}

/** The same for a command that the next one depends on. Throws UserError if it fails. */
export async function mustShow(command: string, session: Session): Promise<void> {
  const status = await showCommand(command, session);
  if (status !== 0) throw new UserError(`${command} exited with ${status}, so the demonstration ends here`);
}

/** Runs a command without showing it. Resolves to its trimmed standard output. */
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
