import pc from "picocolors";
import type { Report, Reporter } from "./report.ts";
import { formatReport, type ReportStream, type TerminalReporterOptions } from "./terminal.ts";

/** Progress of pages that run side by side. */
export interface Overview {
  /** Of one page. It may be asked for while others run. */
  reporterOf(path: string): Reporter;
}

/**
 * Tells of pages that run side by side: a line when one has passed, its whole report when not. On a terminal a last line
 * says what runs, and how far it is.
 *
 * @param count how many pages there are in all
 */
export function createOverview(
  stream: ReportStream,
  count: number,
  o: Omit<TerminalReporterOptions, "verbose"> = {},
): Overview {
  const env = o.env ?? process.env;
  const tty = stream.isTTY === true;
  const colors = pc.createColors(o.color ?? (tty && !env.NO_COLOR));
  const moves = o.spinner ?? (tty && !env.CI && env.TERM !== "dumb");
  /** Path → "3/11", its step of so many. */
  const running = new Map<string, string>();
  let finished = 0;
  const draw = (): void => {
    if (!moves) return;
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
        if (moves) stream.write("\r\u001b[K");
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

export interface OverviewOptions {
  readonly color?: boolean;
  /** How many pages there were to run. Default: as many as there are reports. */
  readonly count?: number;
  /** False: a page was skipped that could have been run on another machine, so the whole has failed. Default true. */
  readonly complete?: boolean;
}

/**
 * A table of pages: what it is, how many of its steps passed, its time in seconds, what failed. Without a page it is one
 * line. Ends with a newline.
 *
 * @param seconds how long they took, all together
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

/** Everything about it stands together, whatever else runs. */
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
