import { join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { openBrowser } from "@operator-path/ui";
import { openMemory, startWorkbench } from "@operator-path/workbench";
import { colors } from "../colors.ts";
import { changeFinished, readFinished, stepStates } from "../finished-steps.ts";
import { listPages, type PageFile, shortPath } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { workshopsOf } from "../start/session.ts";
import type { Sessions } from "../start/sessions.ts";
import { openCourse } from "./open-course.ts";

export interface UiOptions {
  readonly root: string;
  /** Default: where the learner goes on. */
  readonly page: PageFile | undefined;
  readonly sessions: Sessions;
  readonly signal: AbortSignal;
  /** Default: a free port. */
  readonly port?: number;
  /** Open a browser, if there is one. Default true. */
  readonly open?: boolean;
  /** Enter ends it. Default: Enter prints a URL for another browser. */
  readonly endsAtEnter?: boolean;
  say(line: string): void;
}

/**
 * Shows a page in the browser until the signal aborts. Throws UserError if the page cannot be opened. `undo`
 * removes what opened pages leave.
 */
export async function runUi(options: UiOptions, undo: AsyncDisposableStack): Promise<void> {
  const { root, sessions, signal, say } = options;
  const page = options.page ?? (await nextPage(root));
  await changeFinished(workshopsOf(root), (before) => ({ ...before, used: "ui" }));
  await using running = await startWorkbench({
    course: openCourse({ root, sessions, signal }, undo),
    memory: openMemory(join(workshopsOf(root), "workbench.json")),
    page: page.name,
    cache: join(root, "node_modules", ".cache", "workbench"),
    shortPath: (folder) => shortPath(folder, process.cwd()),
    ...{ signal, ...(options.port !== undefined && { port: options.port }) },
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new UserError(
      `port ${options.port} on 127.0.0.1 is taken: choose another one, or leave out --port for a free one`,
    );
  });
  const opened = options.open !== false && (await openBrowser(running.url));
  say(
    opened ? "The page is in your browser." : `Open this page in your browser: ${colors.cyan(running.url)}`,
  );
  const kept = "Your folder and your place on the page are kept.";
  say(
    options.endsAtEnter
      ? `Press Enter to return to the menu. ${kept} (Ctrl+C ends \`start\` and its cluster, too.)`
      : `Press Enter for a URL for another browser, or Ctrl+C to stop. ${kept}`,
  );
  const enter = new AbortController();
  const onEnter = (): void => (options.endsAtEnter ? enter.abort() : say(running.createUrl()));
  const readsKeys = process.stdin.isTTY;
  if (readsKeys) process.stdin.on("data", onEnter).resume();
  try {
    await aborted(AbortSignal.any([signal, enter.signal]));
  } finally {
    if (readsKeys) process.stdin.off("data", onEnter).pause();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Returns the learner's last page, or the one after it if that is finished. */
async function nextPage(root: string): Promise<PageFile> {
  const { finished } = await readFinished(workshopsOf(root));
  const pages = await listPages(root);
  const last = pages.findIndex(({ name }) => name === finished.last);
  const file = pages[last];
  const isFinished = file && stepStates(readPage(file), file.name, finished).every((state) => state.finished);
  const next = isFinished ? pages[last + 1] : file;
  const page = next ?? pages[0];
  if (!page) throw new UserError("there is no tutorial");
  return page;
}
