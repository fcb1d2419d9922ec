import pc from "picocolors";
import type { KindEvent } from "./kind-event.ts";

/** Where progress is written: standard error, say. */
export interface ProgressStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/**
 * Shows each step with its time, a line a step when it has ended. On a terminal the step that is going on stands below
 * with a spinner and its seconds; not in CI, nor with TERM=dumb. NO_COLOR is respected.
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
