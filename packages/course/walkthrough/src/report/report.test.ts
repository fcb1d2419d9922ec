import { expect, test } from "vitest";
import { formatJson, formatJunit } from "./formats.ts";
import type { Report } from "./report.ts";
import { formatReport, terminalReporter } from "./terminal.ts";

const step = { slug: "a", title: "A <step>", line: 3, status: "passed", seconds: 1.25, skipped: [] } as const;
const report: Report = {
  page: "page.md",
  title: "Page",
  provider: "embedded",
  passed: false,
  startedAt: "2026-11-21T07:00:00.000Z",
  seconds: 2.5,
  steps: [
    step,
    { ...step, slug: "b", title: "B", status: "failed" },
    { ...step, slug: "c", title: "C", status: "not run", seconds: 0 },
  ],
  difference: {
    page: "page.md",
    line: 12,
    step: "b",
    message: "the output is not what the page shows",
    command: "kubectl get pods",
    diff: [
      { kind: " ", text: "NAME" },
      { kind: "-", text: "Running" },
      { kind: "+", text: "Run\u0007" },
    ],
    context: [{ title: "latest Events", lines: ["07:00:00  Warning"] }],
  },
  leaks: ["process 7 `sleep 300`"],
};

test("formats the failed step, its difference, the state of the cluster and leaks", () => {
  const text = formatReport(report);
  for (const part of [
    "✓ A <step>  1.3 s",
    "✗ B",
    "· C  not run",
    "page.md:12  step b",
    "$ kubectl get pods",
    "- Running\n+ Run",
    "latest Events:\n  07:00:00",
    "Left behind:\n  process 7",
  ]) {
    expect(text).toContain(part);
  }
});

test("formats valid JUnit XML for any output, with test cases for steps and leaks", () => {
  const xml = formatJunit([report]);
  expect(xml).toContain('tests="4" failures="2" skipped="1"');
  expect(xml).toContain('name="A &lt;step&gt;"');
  expect(xml).not.toContain("\u0007");
});

test("formats the reports as JSON", () => {
  expect(JSON.parse(formatJson([report]))).toEqual([report]);
});

test("without a terminal, prints plain lines", () => {
  let written = "";
  const reporter = terminalReporter({ write: (text) => (written += text) }, { env: {} });
  reporter.pageStarted?.({ path: "page.md", title: "Page", provider: "embedded" });
  reporter.note?.("nginx is not in the engine");
  reporter.stepStarted?.({ ...step, index: 0, count: 1 });
  reporter.doing?.("kubectl get pods", 7);
  reporter.stepFinished?.(step);
  reporter.pageFinished?.({
    ...report,
    passed: true,
    steps: [step],
    leaks: [],
    difference: undefined,
  } as unknown as Report);
  expect(written).toBe(
    "Page  page.md, embedded\n  ! nginx is not in the engine\n  ✓ A <step>  1.3 s\n\n✓ Page: 1 of 1 steps passed in 2.5 s on embedded\n",
  );
});

test.each([
  [{ isTTY: true }, { TERM: "dumb" }, false],
  [{}, { FORCE_COLOR: "1" }, true],
])("has the colours of the stream and the environment: %j %j", (stream, env, hasThem) => {
  let written = "";
  const reporter = terminalReporter({ ...stream, write: (text) => (written += text) }, { env });
  reporter.pageStarted?.({ path: "page.md", title: "Page", provider: "embedded" });
  expect(written.includes("\x1b[1m")).toBe(hasThem);
});
