import pc from "picocolors";
import { hasColors } from "./colors.ts";
import type { Report, Reporter } from "./report.ts";
import {
  formatReport,
  type ReportStream,
  type TerminalReporterOptions,
  terminalReporter,
} from "./terminal.ts";

/** Shows the progress of pages that run side by side. */
export interface Overview {
  /** Returns the reporter of one page. May be called while others run. */
  reporterOf(path: string): Reporter;
}

/**
 * Reports pages that run side by side: a line for each page that passes, and the whole report of each other
 * one. On a terminal, a last line shows the running pages and their steps.
 *
 * @param count the number of pages
 */
export function createOverview(
  stream: ReportStream,
  count: number,
  options: Omit<TerminalReporterOptions, "verbose"> = {},
): Overview {
  const env = options.env ?? process.env;
  const tty = stream.isTTY === true;
  const colors = pc.createColors(hasColors(stream, env));
  const animated = options.spinner ?? (tty && !env.CI && env.TERM !== "dumb");
  /** Path → "3/11", the step and the number of steps. */
  const running = new Map<string, string>();
  let finished = 0;
  const draw = (): void => {
    if (!animated) return;
    const pages = [...running].map(([path, at]) => `${pageName(path)} ${at}`).join(", ");
    const text = `  ${finished} of ${count} pages; ${pages}`.slice(0, (stream.columns ?? 80) - 1);
    stream.write(`\r\u001b[K${running.size === 0 ? "" : colors.dim(text)}`);
  };
  return {
    reporterOf: (path) => ({
      pageStarted() {
        running.set(path, "begins");
        draw();
      },
      stepStarted({ index, count: steps }) {
        running.set(path, `${index + 1}/${steps}`);
        draw();
      },
      pageFinished(report) {
        running.delete(path);
        finished += 1;
        if (animated) stream.write("\r\u001b[K");
        stream.write(
          report.passed || report.skipped !== undefined
            ? `${formatLine(report, colors)}\n`
            : formatFailed(report, colors),
        );
        draw();
      },
    }),
  };
}

/**
 * Reports each step of one page. Holds the reports of the pages beside it until that page has ended, or until
 * it is disposed.
 *
 * @param path the page, as its report has it
 * @param others the number of pages beside it
 */
export function followPage(
  stream: ReportStream,
  path: string,
  others: number,
  options: Omit<TerminalReporterOptions, "verbose" | "spinner"> = {},
): Overview & Disposable {
  const steps = terminalReporter(stream, options);
  const { isTTY = false } = stream;
  let held: string[] | undefined = [`\nThe other ${others} pages run at the same time:\n`];
  const write = (text: string): unknown => (held ? held.push(text) : stream.write(text));
  const release = (): void => {
    const texts = held ?? [];
    held = undefined;
    for (const text of texts) stream.write(text);
  };
  const followed: Reporter = {
    ...steps,
    pageFinished(report) {
      steps.pageFinished?.(report);
      release();
    },
  };
  const overview = createOverview({ isTTY, write }, others, { ...options, spinner: false });
  return {
    reporterOf: (one) => (one === path ? followed : overview.reporterOf(one)),
    [Symbol.dispose]: release,
  };
}

export interface OverviewOptions {
  readonly color?: boolean;
  /** The number of pages that should have run. Default: the number of reports. */
  readonly count?: number;
  /** False: skipped pages could run on another machine, so the whole fails. Default true. */
  readonly complete?: boolean;
}

/**
 * Formats a table of pages: name, passed steps, seconds, what failed. Without a page it has one line. Ends
 * with a newline.
 *
 * @param seconds how long all of them took together
 */
export function formatOverview(
  reports: readonly Report[],
  seconds: number,
  { color = false, count = reports.length, complete = true }: OverviewOptions = {},
): string {
  const colors = pc.createColors(color);
  const rows = reports.map((report) => [
    pageName(report.page),
    `${passedOf(report)} of ${report.steps.length}`,
    report.seconds.toFixed(1),
    whatFailed(report),
  ]);
  const table = [["page", "steps", "seconds", headingOf(reports)], ...rows];
  const widths = [0, 1, 2].map((i) => Math.max(...table.map((row) => row[i]?.length ?? 0)));
  const lines = table.map(([page = "", steps = "", time = "", failed = ""], i) => {
    const mark = i === 0 ? " " : markOf(reports[i - 1], colors);
    const cells = [
      page.padEnd(widths[0] ?? 0),
      steps.padStart(widths[1] ?? 0),
      time.padStart(widths[2] ?? 0),
    ];
    const line = `${mark} ${cells.join("  ")}  ${failed}`.trimEnd();
    return i === 0 ? colors.dim(line) : line;
  });
  const passed = reports.filter((report) => report.passed).length;
  const skipped = reports.filter((report) => report.skipped !== undefined).length;
  const others = skipped === 0 ? "" : `, ${skipped} skipped,`;
  const sum = `${passed} of ${count} pages passed${others} in ${seconds.toFixed(1)} s`;
  const fine = complete && passed + skipped === count && passed > 0;
  return `${lines.join("\n")}\n\n${fine ? colors.green(`✓ ${sum}`) : colors.red(`✗ ${sum}`)}\n`;
}

type Colors = ReturnType<typeof pc.createColors>;

function formatLine(report: Report, colors: Colors): string {
  const steps = colors.dim(`${passedOf(report)} steps  ${report.seconds.toFixed(1)} s`);
  if (report.skipped !== undefined)
    return `${colors.yellow("-")} ${pageName(report.page)}  ${report.title}  ${colors.dim(`skipped: ${report.skipped}`)}`;
  return `${colors.green("✓")} ${pageName(report.page)}  ${report.title}  ${steps}`;
}

/** Formats a failed page in one piece, which no other page interrupts. */
function formatFailed(report: Report, colors: Colors): string {
  const title = `${colors.bold(report.title)}  ${colors.dim(`${report.page}, ${report.provider}`)}`;
  return `\n${title}\n${formatReport(report, { color: colors.isColorSupported })}\n`;
}

/** Returns a page's name on the command line: `01-podbuggertool/1-from-the-laptop`. */
export function pageName(path: string): string {
  return path.replace(/^(?:.*\/)?tutorials\//, "").replace(/\.md$/, "");
}

function passedOf({ steps }: Report): number {
  return steps.filter(({ status }) => status === "passed").length;
}

function headingOf(reports: readonly Report[]): string {
  if (reports.every(({ passed }) => passed)) return "";
  return reports.every(({ passed, skipped }) => passed || skipped !== undefined) ? "why not" : "what failed";
}

function markOf(report: Report | undefined, colors: Colors): string {
  if (report?.skipped !== undefined) return colors.yellow("-");
  return report?.passed ? colors.green("✓") : colors.red("✗");
}

function whatFailed({ passed, skipped, difference, leaks }: Report): string {
  if (passed) return "";
  if (skipped !== undefined) return `skipped: ${skipped}`;
  if (difference) return `line ${difference.line}, step ${difference.step}: ${difference.message}`;
  return leaks.length > 0 ? `left behind: ${leaks.join("; ")}` : "stopped";
}
