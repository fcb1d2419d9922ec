import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeConfig } from "@operator-path/client";
import { lastErrorIn } from "./last-error.ts";

/** An operator that runs as a process of its own. */
export interface OperatorProcess {
  /** Returns the last lines of the output. Undefined while the process runs. */
  failure(): string | undefined;
  /** Returns how many characters the operator has printed. */
  printed(): number;
  /**
   * Returns the last error of the output.
   *
   * @param since a result of `printed`: what was printed before does not count
   * @param pattern errors that do not match do not count
   */
  lastError(since: number, pattern?: RegExp): string | undefined;
  /** Sends SIGTERM, and SIGKILL after ten seconds. Resolves when the process has exited. */
  stop(): Promise<void>;
}

/**
 * Runs a shell command in a folder, and resolves when it exits.
 *
 * @throws Error with the command's output, if its exit status is not 0
 */
export async function runCommand(command: string, folder: string): Promise<void> {
  const { exited, output } = start(command, folder, {});
  const status = await exited;
  if (status !== 0) throw new Error(`\`${command}\` failed with status ${status}:\n${output()}`);
}

/** Starts an operator in a folder, with a kubeconfig. */
export async function startOperator(
  command: string,
  folder: string,
  kubeConfig: KubeConfig,
): Promise<OperatorProcess> {
  const home = await mkdtemp(join(tmpdir(), "operator-path-checklist-"));
  const file = join(home, "kubeconfig");
  await writeFile(file, kubeConfig.exportConfig(), { mode: 0o600 });
  // With exec, signals reach the operator and not a shell around it.
  const { child, exited, output, printed, textSince } = start(`exec ${command}`, folder, {
    KUBECONFIG: file,
  });
  let status: string | number | undefined;
  void exited.then((exit) => {
    status = exit;
  });
  return {
    failure: () =>
      status === undefined ? undefined : `\`${command}\` ended with status ${status}:\n${output()}`,
    printed,
    lastError: (since, pattern) => lastErrorIn(textSince(since), pattern),
    async stop() {
      child.kill("SIGTERM");
      const given = new AbortController();
      const late = sleep(10_000, undefined, { signal: given.signal }).then(
        () => child.kill("SIGKILL"),
        () => {},
      );
      await exited;
      given.abort();
      await late;
      await rm(home, { recursive: true, force: true });
    },
  };
}

function start(command: string, folder: string, env: NodeJS.ProcessEnv) {
  const child = spawn("/bin/sh", ["-c", command], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  let printed = 0;
  const keep = (chunk: Buffer) => {
    const added = chunk.toString();
    printed += added.length;
    // Enough for several errors with their stacks.
    text = (text + added).slice(-50_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const exited = new Promise<string | number>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code ?? signal ?? 1));
  });
  return {
    ...{ child, exited },
    output: () => text.slice(-8_000).trim().split("\n").slice(-12).join("\n"),
    printed: () => printed,
    textSince: (position: number) => text.slice(Math.max(0, text.length - (printed - position))),
  };
}
