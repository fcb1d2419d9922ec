import pc from "picocolors";
import stripAnsi from "strip-ansi";

/**
 * Progress, from kind's own output. A step is one that kind names (`Preparing nodes`, `Starting
 * control-plane`) or one of ours after it (`Waiting for all nodes`), without its icon. Each step has one
 * `begun`, then one `done` or `failed`.
 */
export type KindEvent =
  | { readonly type: "begun"; readonly step: string }
  | { readonly type: "done"; readonly step: string; readonly seconds: number }
  | { readonly type: "failed"; readonly step: string; readonly seconds: number }
  /** A line besides the steps: the chosen engine, a pull, a warning. */
  | { readonly type: "note"; readonly text: string };

export interface Progress {
  /** A line of kind's output. */
  line(text: string): void;
  /** Begins one of our own steps. */
  begin(step: string): void;
  /** Ends the current step, if any. */
  end(done: boolean): void;
}

/**
 * Converts kind's lines to events. Without a terminal kind writes ` • Preparing nodes 📦  ...` when a step
 * begins, and ` ✓ ` or ` ✗ ` when it ends (`pkg/internal/cli/status.go`). The lines after the creation
 * (thanks and hints) and after `ERROR:` are not progress. `now` is in milliseconds.
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

/** Where progress is written, such as standard error. */
export interface ProgressStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/**
 * Shows one line per finished step, with its time. A terminal also shows the current step with a spinner and
 * its seconds, except in CI and with TERM=dumb. Respects NO_COLOR.
 */
export function showProgress(
  stream: ProgressStream,
  env: NodeJS.ProcessEnv = process.env,
): (event: KindEvent) => void {
  const terminal = stream.isTTY === true && !env.CI && env.TERM !== "dumb";
  const colors = pc.createColors(stream.isTTY === true && !env.NO_COLOR);
  let spinner: NodeJS.Timeout | undefined;
  const clear = (): void => {
    if (spinner === undefined) return;
    clearInterval(spinner);
    spinner = undefined;
    stream.write("\r\x1b[K");
  };
  const spin = (step: string): void => {
    const since = performance.now();
    const draw = (): void => {
      const passed = performance.now() - since;
      const frame = frames[Math.floor(passed / 100) % frames.length] ?? "";
      const text = `${step}  ${Math.floor(passed / 1000)} s`;
      stream.write(`\r\x1b[K  ${colors.cyan(frame)} ${text.slice(0, (stream.columns ?? 80) - 5)}`);
    };
    draw();
    spinner = setInterval(draw, 100).unref();
  };
  return (event) => {
    clear();
    if (event.type === "note") stream.write(`  ${colors.dim(event.text)}\n`);
    else if (event.type === "begun") {
      if (terminal) spin(event.step);
    } else {
      const mark = event.type === "done" ? colors.green("✓") : colors.red("✗");
      stream.write(`  ${mark} ${event.step}  ${colors.dim(`${event.seconds.toFixed(1)} s`)}\n`);
    }
  };
}
