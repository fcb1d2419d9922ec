import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { loadKubeConfig } from "@operator-path/client";
import { openBrowser, openClusterPage } from "@operator-path/ui";
import { UserError } from "../user-error.ts";

export interface BrowserOptions {
  /** Default: the kubeconfig's current context. */
  readonly context?: string;
  /** Default: all. */
  readonly namespaces?: readonly string[];
  /** Default: a free one. */
  readonly port?: number;
  /** A program with its arguments, which records its reconciles for the time line. Default: none. */
  readonly command?: readonly string[];
  /** Whether to open the browser, if there is one. */
  readonly open: boolean;
}

/**
 * Shows the cluster of a kubeconfig in the browser, until the process receives SIGINT or SIGTERM, or the command has
 * ended. It only reads.
 *
 * @returns the command's exit code, or else 0
 * @throws UserError if there is no such context, the server does not answer, or the port is taken
 */
export async function showInBrowser(options: BrowserOptions, say: (line: string) => void): Promise<number> {
  const kubeConfig = readKubeConfig(options.context);
  const { namespaces = [], port = 0 } = options;
  const name = kubeConfig.getCurrentContext();
  const server = kubeConfig.getCurrentCluster()?.server;
  // Catches a signal that arrives while the page is opened.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await using undo = new AsyncDisposableStack();
  const reconciles = await mkdtemp(join(tmpdir(), "operator-path-ui-"));
  undo.defer(() => rm(reconciles, { recursive: true, force: true }));
  const page = await openClusterPage({ kubeConfig, namespaces, port, reconciles }).catch((error: unknown) => {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new UserError(
      code === "EADDRINUSE"
        ? `port ${port} is taken: choose another with --port`
        : `the cluster of the context ${name} cannot be shown: ${message}`,
    );
  });
  undo.use(page);
  const which = namespaces.length > 0 ? `, namespace ${namespaces.join(", ")}` : "";
  say(`showing the cluster of the context ${name} (${server}${which}), read-only, at`);
  say(`  ${page.url}`);
  say("The URL works once, in one browser of this machine. Ctrl+C ends the view.");
  const [program, ...args] = options.command ?? [];
  if (program !== undefined) {
    // The URL is printed as well, so a failure is no error.
    if (options.open) await openBrowser(page.url);
    return await runOperator(program, args, page.nodeOptions ?? "");
  }
  say("To see an operator's reconciles on the time line, start it with this variable:");
  say(`  NODE_OPTIONS=${page.nodeOptions}`);
  // The URL is printed as well, so a failure is no error.
  if (options.open) await openBrowser(page.url);
  using _ = printUrls(page.createUrl, say);
  await stopped;
  return 0;
}

/**
 * Runs a program in this terminal until it ends. In a terminal, Ctrl+C reaches it by itself; SIGTERM is passed on.
 * Returns its exit code.
 */
async function runOperator(program: string, args: readonly string[], nodeOptions: string): Promise<number> {
  const before = process.env.NODE_OPTIONS;
  const child = spawn(program, args, {
    env: {
      ...process.env,
      OPERATOR_PATH_UI: "1",
      NODE_OPTIONS: before ? `${before} ${nodeOptions}` : nodeOptions,
    },
    stdio: "inherit",
  });
  const stop = (): void => void child.kill("SIGTERM");
  // An operator ends in order, so this process waits for it.
  const wait = (): void => {};
  process.on("SIGTERM", stop).on("SIGINT", wait);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("error", ({ message }) => reject(new UserError(`${program} cannot be started: ${message}`)));
      child.once("exit", (code, signal) =>
        resolve(code ?? (signal === null ? 1 : 128 + constants.signals[signal])),
      );
    });
  } finally {
    process.off("SIGTERM", stop).off("SIGINT", wait);
  }
}

function readKubeConfig(context: string | undefined) {
  try {
    const kubeConfig = loadKubeConfig();
    if (context === undefined) return kubeConfig;
    const names = kubeConfig.getContexts().map(({ name }) => name);
    if (!names.includes(context))
      throw new UserError(
        `there is no context ${JSON.stringify(context)}; existing contexts: ${names.join(", ")}`,
      );
    kubeConfig.setCurrentContext(context);
    return kubeConfig;
  } catch (error) {
    throw new UserError((error as Error).message);
  }
}

/** Prints a URL for another browser whenever the user presses Enter in a terminal. */
function printUrls(createUrl: () => string, say: (line: string) => void): Disposable {
  if (!process.stdin.isTTY) return { [Symbol.dispose]() {} };
  say("Press Enter for a URL for another browser.");
  const lines = createInterface({ input: process.stdin });
  lines.on("line", () => say(`  ${createUrl()}`));
  // In raw mode, readline takes Ctrl+C as input.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  return { [Symbol.dispose]: () => lines.close() };
}
