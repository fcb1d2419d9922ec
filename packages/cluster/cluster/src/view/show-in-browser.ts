import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { loadKubeConfig } from "@operator-path/client";
import { openClusterPage } from "@operator-path/ui";
import { UserError } from "../user-error.ts";

export interface BrowserOptions {
  /** Default: the kubeconfig's current context. */
  readonly context?: string;
  /** Default: all. */
  readonly namespaces?: readonly string[];
  /** Default: a free one. */
  readonly port?: number;
  /** Whether to open the browser, if there is one. */
  readonly open: boolean;
}

/**
 * Shows the cluster of a kubeconfig in the browser, until the process receives SIGINT or SIGTERM. It only reads.
 *
 * @throws UserError if there is no such context, the server does not answer, or the port is taken
 */
export async function showInBrowser(options: BrowserOptions, say: (line: string) => void): Promise<void> {
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
  say("To see an operator's reconciles on the time line, start it with this variable:");
  say(`  NODE_OPTIONS=${page.nodeOptions}`);
  if (options.open) openBrowser(page.url);
  using _ = printUrls(page.createUrl, say);
  await stopped;
}

function readKubeConfig(context: string | undefined) {
  try {
    const kubeConfig = loadKubeConfig();
    if (context === undefined) return kubeConfig;
    const names = kubeConfig.getContexts().map(({ name }) => name);
    if (!names.includes(context))
      throw new UserError(`there is no context ${JSON.stringify(context)}; there are: ${names.join(", ")}`);
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

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", '""'],
  linux: ["xdg-open"],
};

/** Opens the user's browser on a machine with a display. The URL is printed as well, so a failure is no error. */
function openBrowser(url: string): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === "linux" && !DISPLAY && !WAYLAND_DISPLAY) return;
  const [command, ...args] = openers[process.platform] ?? [];
  if (command === undefined) return;
  const opener = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  opener.on("error", () => {});
  opener.unref();
}
