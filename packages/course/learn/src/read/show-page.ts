import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { executablesOnPath } from "@operator-path/tools";
import { hasColors } from "@operator-path/walkthrough";
import type { PageFile } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { renderMarkdown } from "./render-markdown.ts";

/** The widest column of text, which is easy to read. */
const widest = 100;

export interface ShowPageOptions {
  /** Show hints and solutions too. Default false. */
  readonly all?: boolean;
  /** PAGER, NO_COLOR, FORCE_COLOR, CI, TERM and PATH are read. Default: of the process. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Shows a page on this terminal, in $PAGER or less. Prints it without a pager if the machine has no less, if standard
 * output is not a terminal, and in CI. Throws UserError for a malformed page.
 */
export async function showPage(
  file: PageFile,
  { all = false, env = process.env }: ShowPageOptions = {},
): Promise<void> {
  const { stdin, stdout } = process;
  const color = hasColors(stdout, env);
  const width = Math.min(stdout.isTTY ? stdout.columns || 80 : 80, widest);
  const text = renderMarkdown(readPage(file).source, { width, color, all, folder: dirname(file.path) });
  const pager = stdin.isTTY && stdout.isTTY && !env.CI ? await pagerOf(env) : undefined;
  if (pager === undefined) stdout.write(text);
  else await page(text, pager, env);
}

async function pagerOf(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (env.PAGER !== undefined) return env.PAGER === "" || env.PAGER === "cat" ? undefined : env.PAGER;
  // more counts colours as columns, and breaks lines in words.
  return (await executablesOnPath("less", env)).length > 0 ? "less" : undefined;
}

async function page(text: string, pager: string, env: NodeJS.ProcessEnv): Promise<void> {
  // R: colours pass. As git does, a LESS of the person's own wins.
  const child = spawn("sh", ["-c", pager], {
    env: { ...env, LESS: env.LESS ?? "R", LESSCHARSET: env.LESSCHARSET ?? "utf-8" },
    stdio: ["pipe", "inherit", "inherit"],
  });
  // A pager handles Ctrl+C itself, and may end before it has read everything.
  const before = process.listeners("SIGINT");
  const ignore = (): void => undefined;
  process.removeAllListeners("SIGINT").on("SIGINT", ignore);
  try {
    child.stdin.on("error", ignore).end(text);
    await once(child, "exit");
  } finally {
    process.off("SIGINT", ignore);
    for (const listener of before) process.on("SIGINT", listener);
  }
}
