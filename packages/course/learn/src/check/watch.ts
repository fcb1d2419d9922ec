import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { createVitestRunner, listFolder } from "@operator-path/walkthrough";
import { checkPlace, parseStepName } from "./check.ts";
import { historyOf } from "./history-of.ts";
import { findPlace, readProject } from "./place.ts";
import type { CheckOptions } from "./where-learner-is.ts";

export interface WatchOptions extends CheckOptions {
  /** Enter on it checks again, since a command may change the cluster and no file. Default: only files count. */
  readonly terminal?: Readable | undefined;
  /** Clears the screen before each check. */
  clear(): void;
}

/**
 * `pnpm learn watch`: checks the project, and again after each change of a file or Enter, until the signal aborts.
 * Resolves to 0. Throws UserError as `checkWork` does.
 */
export async function watchWork(step: string | undefined, options: WatchOptions): Promise<number> {
  const named = parseStepName(step);
  const place = await findPlace(options, named.tutorial);
  const history = await historyOf(place, options);
  const { signal, terminal } = options;
  // Vitest stays loaded between the checks.
  await using vitest = createVitestRunner();
  let seen: string | undefined;
  while (!signal.aborted) {
    // Watching begins before the check reads, so that no change is lost.
    using changes = watchFolders(place.project, signal, terminal);
    const now = fingerprint(place.project);
    // An editor that saves a file causes several events. Only one of them changes what is there.
    if (now !== seen) {
      seen = now;
      options.clear();
      await checkPlace(place, history, named, { ...options, vitest }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (!signal.aborted)
        options.say(
          terminal
            ? "\nWaiting for a change of a file. Press Enter to check again, for example after a command, or Ctrl+C to stop."
            : "\nWaiting for a change. Press Ctrl+C to stop.",
        );
    }
    await changes.next;
    if (changes.entered()) seen = undefined;
  }
  return 0;
}

function fingerprint(project: string): string {
  return JSON.stringify([...readProject(project)]);
}

interface Changes extends Disposable {
  /** Resolves on the first change, on Enter, or when the signal aborts. */
  readonly next: Promise<void>;
  /** Reports whether Enter was pressed, also after a change. */
  entered(): boolean;
}

/** Watches the terminal, and each folder of a project apart from node_modules, which has too many. */
function watchFolders(project: string, signal: AbortSignal, terminal?: Readable): Changes {
  const { promise, resolve } = Promise.withResolvers<void>();
  const folders = ["", ...listFolder(project).filter((path) => path.endsWith("/"))];
  const watchers: FSWatcher[] = folders.map((folder) => watch(join(project, folder), () => resolve()));
  // A folder may disappear. The next round watches those that are left.
  for (const watcher of watchers) watcher.on("error", () => resolve());
  const stop = (): void => resolve();
  let entered = false;
  const onEnter = (): void => {
    entered = true;
    resolve();
  };
  terminal?.on("data", onEnter);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return {
    next: promise,
    entered: () => entered,
    [Symbol.dispose]() {
      signal.removeEventListener("abort", stop);
      terminal?.off("data", onEnter);
      for (const watcher of watchers) watcher.close();
    },
  };
}
