import type { Report } from "./report.ts";
import { formatReport } from "./terminal.ts";

/** Formats the reports as a JSON array, indented by two. */
export function formatJson(reports: readonly Report[]): string {
  return `${JSON.stringify(reports, null, 2)}\n`;
}

/**
 * Formats the reports as JUnit XML: a test suite for each page, with a test case for each step and one for
 * leaks.
 */
export function formatJunit(reports: readonly Report[]): string {
  const suites = reports.map((report) => {
    const cases = report.steps.map((step) => {
      const head = `    <testcase classname="${escapeXml(report.page)}" name="${escapeXml(step.title)}" time="${step.seconds}"`;
      const { difference } = report;
      if (difference?.step === step.slug && step.status !== "not run") {
        const text = formatReport({ ...report, leaks: [] }, { steps: false });
        return `${head}>\n      <failure message="${escapeXml(`${difference.page}:${difference.line}: ${difference.message}`)}">${escapeXml(text)}</failure>\n    </testcase>`;
      }
      if (step.status === "skipped" || step.status === "not run")
        return `${head}>\n      <skipped message="${escapeXml(step.skipped.join("; ") || step.status)}"/>\n    </testcase>`;
      return `${head}/>`;
    });
    const leaks =
      report.leaks.length === 0
        ? ""
        : `>\n      <failure message="left behind">${escapeXml(report.leaks.join("\n"))}</failure>\n    </testcase>`;
    cases.push(
      `    <testcase classname="${escapeXml(report.page)}" name="nothing is left behind" time="0"${leaks || "/>"}`,
    );
    const failures = cases.filter((text) => text.includes("<failure")).length;
    const skipped = cases.filter((text) => text.includes("<skipped")).length;
    const attributes = `name="${escapeXml(`${report.title} (${report.provider})`)}" tests="${cases.length}" failures="${failures}" skipped="${skipped}" time="${report.seconds}" timestamp="${report.startedAt}"`;
    return `  <testsuite ${attributes}>\n${cases.join("\n")}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("\n")}\n</testsuites>\n`;
}

function escapeXml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  // XML 1.0 cannot contain other control characters.
  return Array.from(
    text,
    (char) => entities[char] ?? (char < " " && !/[\t\n\r]/.test(char) ? "\uFFFD" : char),
  ).join("");
}
