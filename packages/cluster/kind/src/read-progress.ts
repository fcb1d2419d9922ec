import stripAnsi from "strip-ansi";
import type { KindEvent } from "./kind-event.ts";

export interface Progress {
  /** A line that kind wrote. */
  line(text: string): void;
  /** A step of our own. */
  begin(step: string): void;
  /** The end of what was begun, if anything was. */
  end(done: boolean): void;
}

/**
 * Turns kind's lines into events. Without a terminal kind writes ` • Preparing nodes 📦  ...` when a step begins, and ` ✓ ` or
 * ` ✗ ` when it ends (`pkg/internal/cli/status.go`). What it says after the cluster is there (thanks, and what to type) and
 * after `ERROR:` is not progress. `now` is in milliseconds.
 */
export function createProgress(
  tell: (event: KindEvent) => void,
  now: () => number = () => performance.now(),
): Progress {
  let current: { step: string; since: number } | undefined;
  let over = false;
  const end = (done: boolean): void => {
    if (current === undefined) return;
    const seconds = Math.round((now() - current.since) / 100) / 10;
    tell({ type: done ? "done" : "failed", step: current.step, seconds });
    current = undefined;
  };
  const begin = (step: string): void => {
    end(true);
    current = { step, since: now() };
    tell({ type: "begun", step });
  };
  return {
    begin,
    end,
    line(text) {
      const [, mark, words = ""] = /^\s*([•✓✗])?\s*(.*?)\s*$/u.exec(withoutIcons(stripAnsi(text))) ?? [];
      if (mark === "•") return begin(words.replace(/\s*\.\.\.$/, ""));
      if (mark !== undefined) return end(mark === "✓");
      over ||= /^(ERROR: |Set kubectl context)/.test(words);
      if (!over && words !== "" && !/^using \S+ due to KIND_EXPERIMENTAL_PROVIDER$/.test(words)) {
        tell({ type: "note", text: words.replace(/\s*\.\.\.$/, "") });
      }
    },
  };
}

function withoutIcons(text: string): string {
  return text.replace(/\p{Extended_Pictographic}|\u{FE0F}|\u{200D}/gu, "").replace(/ {2,}/g, " ");
}
