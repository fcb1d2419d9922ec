import { postJson } from "@operator-path/ui/web";
import type { DraftView } from "../protocol.ts";

/** Whether the server has an unsaved text: it soon will, it has, or it cannot be reached. */
export type DraftState = "pending" | "kept" | "failed";

/** Keeps unsaved texts on the server while the learner types. */
export interface DraftKeeper {
  /** Returns the unsaved text that this page has of a file. */
  find(path: string): DraftView | undefined;
  /** Takes the newest text of a file, and sends it after a short pause. */
  keep(path: string, draft: DraftView): void;
  /** Sends nothing more of a file until the next `keep`. Resolves when what is on its way has arrived. */
  hold(path: string): Promise<void>;
  /** Forgets a file that was saved, or whose draft was dropped. */
  forget(path: string): void;
}

/** A pause in typing, in milliseconds. */
const pauseMs = 300;
const retryMs = 2000;
/** A browser finishes larger requests only while the page is open. */
const mostOnLeaving = 20_000;

/** @param changed called with each new state, and with undefined when a file has no unsaved text any more */
export function createDraftKeeper(
  changed: (path: string, state: DraftState | undefined) => void,
): DraftKeeper {
  const drafts = new Map<string, DraftView>();
  const states = new Map<string, DraftState>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const onTheirWay = new Map<string, Promise<void>>();

  function become(path: string, state: DraftState): void {
    if (states.get(path) === state) return;
    states.set(path, state);
    changed(path, state);
  }

  function stopTimer(path: string): void {
    clearTimeout(timers.get(path));
    timers.delete(path);
  }

  function later(path: string, ms: number): void {
    stopTimer(path);
    timers.set(
      path,
      setTimeout(() => send(path), ms),
    );
  }

  function send(path: string): void {
    stopTimer(path);
    onTheirWay.set(
      path,
      (onTheirWay.get(path) ?? Promise.resolve()).then(() => post(path)),
    );
  }

  async function post(path: string): Promise<void> {
    const draft = drafts.get(path);
    if (!draft) return;
    try {
      await postJson("/api/draft", { path, ...draft }, { keepalive: draft.text.length < mostOnLeaving });
      if (drafts.get(path) === draft) become(path, "kept");
    } catch {
      if (drafts.get(path) !== draft) return;
      become(path, "failed");
      later(path, retryMs);
    }
  }

  addEventListener("beforeunload", (event) => {
    // Not after what is on its way: nothing of this page runs when that has arrived.
    for (const [path, state] of states) {
      if (state !== "pending") continue;
      stopTimer(path);
      void post(path);
    }
    const isAtRisk = [...states].some(
      ([path, state]) =>
        state === "failed" || (state === "pending" && (drafts.get(path)?.text.length ?? 0) >= mostOnLeaving),
    );
    if (isAtRisk) event.preventDefault();
  });

  return {
    find: (path) => drafts.get(path),
    keep(path, draft) {
      drafts.set(path, draft);
      if (states.get(path) !== "failed") become(path, "pending");
      later(path, pauseMs);
    },
    async hold(path) {
      stopTimer(path);
      await onTheirWay.get(path);
    },
    forget(path) {
      stopTimer(path);
      drafts.delete(path);
      states.delete(path);
      changed(path, undefined);
    },
  };
}
