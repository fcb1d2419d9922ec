import pc from "picocolors";
import { hasColors } from "./colors.ts";
import type { AcceptedChange, Difference, Report, Reporter, StepReport } from "./report.ts";

/** The stream that a reporter writes to: process.stderr, or one of a test. */
export interface ReportStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface TerminalReporterOptions {
  /** Show a line that changes while a command runs. Default: on a terminal, but not in CI. */
  readonly spinner?: boolean;
  /** Print every command on its own line. */
  readonly verbose?: boolean;
  /** NO_COLOR, FORCE_COLOR, TERM and CI are read. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Returns a reporter that shows progress, a line with its time for each step, and the first difference. */
export function terminalReporter(stream: ReportStream, options: TerminalReporterOptions = {}): Reporter {
  const env = options.env ?? process.env;
  const tty = stream.isTTY === true;
  const colors = pc.createColors(hasColors(stream, env));
  const animated = options.spinner ?? (tty && !env.CI && env.TERM !== "dumb");
  let timer: NodeJS.Timeout | undefined;
  let current = "";
  let commandStarted = 0;
  const clear = (): void => {
    if (animated) stream.write("\r\u001b[K");
  };
  const draw = (): void => {
    const seconds = Math.round((Date.now() - commandStarted) / 1000);
    const text = `  ${current}`.slice(0, (stream.columns ?? 80) - 8);
    stream.write(`\r\u001b[K${colors.dim(text)}${seconds > 0 ? colors.dim(` ${seconds} s`) : ""}`);
  };
  const start = (): void => {
    timer ??= setInterval(draw, 1000);
    timer.unref();
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
    clear();
  };
  return {
    pageStarted: ({ title, path, provider }) =>
      void stream.write(`${colors.bold(title)}  ${colors.dim(`${path}, ${provider}`)}\n`),
    stepStarted: ({ title }) => {
      current = title;
      commandStarted = Date.now();
      if (!animated) return;
      draw();
      start();
    },
    doing: (what, line) => {
      current = `${line}: ${what.split("\n")[0]}`;
      commandStarted = Date.now();
      if (options.verbose) {
        clear();
        stream.write(`  ${colors.dim(`${String(line).padStart(4)}  $ ${what.split("\n").join(" ⏎ ")}`)}\n`);
      } else if (animated) draw();
      if (animated) start();
    },
    note: (text) => {
      stop();
      stream.write(`  ${colors.yellow("!")} ${text}\n`);
    },
    asking: stop,
    stepFinished: (step) => {
      stop();
      // The report at the end lists the steps that did not run.
      if (step.status !== "not run") stream.write(`${formatStep(step, colors)}\n`);
    },
    pageFinished: (report) => {
      stop();
      stream.write(formatReport(report, { color: colors.isColorSupported, steps: false }));
    },
  };
}

type Colors = ReturnType<typeof pc.createColors>;

function formatStep(step: StepReport, colors: Colors): string {
  const mark = {
    passed: colors.green("✓"),
    failed: colors.red("✗"),
    skipped: colors.yellow("-"),
    "not run": colors.dim("·"),
  }[step.status];
  const time = step.status === "not run" ? "not run" : `${step.seconds.toFixed(1)} s`;
  const skipped = step.skipped.length === 0 ? "" : colors.dim(`  skipped: ${step.skipped.join("; ")}`);
  return `  ${mark} ${step.title}  ${colors.dim(time)}${skipped}`;
}

/**
 * Formats a report as text: a line for each step, the first difference, leaks, and a summary. Ends with a
 * newline.
 */
export function formatReport(report: Report, options: { color?: boolean; steps?: boolean } = {}): string {
  const colors = pc.createColors(options.color ?? false);
  if (report.skipped !== undefined)
    return `${colors.yellow(`- ${report.title}: skipped on ${report.provider}: ${report.skipped}`)}\n`;
  const lines: string[] = [];
  if (options.steps !== false) lines.push(...report.steps.map((step) => formatStep(step, colors)));
  else
    lines.push(
      ...report.steps.filter((step) => step.status === "not run").map((step) => formatStep(step, colors)),
    );
  if (report.accepted) lines.push("", ...formatAccepted(report.page, report.accepted, colors));
  if (report.difference) lines.push("", ...formatDifference(report.difference, colors));
  if (report.leaks.length > 0)
    lines.push("", colors.red("Left behind:"), ...report.leaks.map((leak) => `  ${leak}`));
  const passed = report.steps.filter((step) => step.status === "passed").length;
  const stopped = !report.passed && !report.difference && report.leaks.length === 0 ? "stopped; " : "";
  const sum = `${stopped}${passed} of ${report.steps.length} steps passed in ${report.seconds.toFixed(1)} s on ${report.provider}`;
  lines.push(
    "",
    report.passed ? colors.green(`✓ ${report.title}: ${sum}`) : colors.red(`✗ ${report.title}: ${sum}`),
  );
  if (report.folder !== undefined) lines.push(`kept: ${report.folder}`);
  return `${lines.join("\n")}\n`;
}

function formatAccepted(page: string, changes: readonly AcceptedChange[], colors: Colors): string[] {
  return [
    colors.bold(`Accepted, and written into ${page}:`),
    ...changes.flatMap(({ line, removed, added }) => [
      colors.dim(`line ${line}`),
      ...removed.map((text) => colors.red(`- ${text}`)),
      ...added.map((text) => colors.green(`+ ${text}`)),
    ]),
  ];
}

function formatDifference(difference: Difference, colors: Colors): string[] {
  const lines = [
    `${colors.bold(`${difference.page}:${difference.line}`)}  step ${colors.bold(difference.step)}`,
    colors.red(difference.message),
  ];
  if (difference.command !== undefined)
    lines.push(
      "",
      ...difference.command.split("\n").map((line, i) => colors.dim(`${i === 0 ? "$ " : "  "}${line}`)),
    );
  if (difference.diff.length > 0) {
    if (difference.diff.some((line) => line.kind === "-"))
      lines.push("", colors.dim("- the page   + what was seen"));
    for (const { kind, text } of difference.diff) {
      const line = `${kind} ${text}`;
      lines.push(kind === "-" ? colors.red(line) : kind === "+" ? colors.green(line) : line);
    }
  }
  for (const { title, lines: content } of difference.context)
    lines.push(
      "",
      colors.bold(`${title}:`),
      ...content.map((line) => `  ${line.length > 240 ? `${line.slice(0, 240)} …` : line}`),
    );
  return lines;
}
