import { expect, test } from "vitest";
import { createOverview, followPage, formatOverview } from "./overview.ts";
import type { Report } from "./report.ts";

const step = { slug: "a", title: "A", line: 3, status: "passed", seconds: 1, skipped: [] } as const;
const passed: Report = {
  page: "tutorials/01-one/1-first.md",
  title: "First",
  provider: "embedded",
  passed: true,
  startedAt: "2026-11-21T07:00:00.000Z",
  seconds: 12.345,
  steps: [step, step],
  leaks: [],
};
const failed: Report = {
  ...passed,
  page: "tutorials/01-one/2-second.md",
  title: "Second",
  passed: false,
  seconds: 3,
  steps: [step, { ...step, slug: "b", status: "failed" }],
  difference: { page: "2-second.md", line: 12, step: "b", message: "it differs", diff: [], context: [] },
};
const leaking: Report = { ...passed, page: "elsewhere.md", passed: false, leaks: ["file x", "process 7"] };

test("formats a table with a row for each page, and a summary", () => {
  expect(formatOverview([passed, failed, leaking], 20, { count: 4 })).toBe(`\
  page              steps  seconds  what failed
✓ 01-one/1-first   2 of 2     12.3
✗ 01-one/2-second  1 of 2      3.0  line 12, step b: it differs
✗ elsewhere        2 of 2     12.3  left behind: file x; process 7

✗ 1 of 4 pages passed in 20.0 s
`);
  expect(formatOverview([passed], 13)).toBe(`\
  page             steps  seconds
✓ 01-one/1-first  2 of 2     12.3

✓ 1 of 1 pages passed in 13.0 s
`);
});

function overviewOf(options: { isTTY: boolean }) {
  let written = "";
  const stream = { ...options, columns: 200, write: (text: string) => (written += text) };
  const overview = createOverview(stream, 2, { env: { NO_COLOR: "1" } });
  const [first, second] = [overview.reporterOf(passed.page), overview.reporterOf(failed.page)];
  first.pageStarted?.({ path: passed.page, title: "First", provider: "embedded" });
  second.pageStarted?.({ path: failed.page, title: "Second", provider: "embedded" });
  first.stepStarted?.({ ...step, index: 0, count: 2 });
  second.stepStarted?.({ ...step, index: 1, count: 2 });
  first.pageFinished?.(passed);
  second.pageFinished?.(failed);
  return written;
}

test("side by side, prints a line for a passed page and the whole report of a failed one", () => {
  expect(overviewOf({ isTTY: false })).toBe(`\
✓ 01-one/1-first  First  2 steps  12.3 s

Second  tutorials/01-one/2-second.md, embedded
  ✓ A  1.0 s
  ✗ A  1.0 s

2-second.md:12  step b
it differs

✗ Second: 1 of 2 steps passed in 3.0 s on embedded

`);
});

test("on a terminal, shows the running pages in a last line, and clears it", () => {
  const written = overviewOf({ isTTY: true });
  expect(written).toContain("\r\u001b[K  0 of 2 pages; 01-one/1-first 1/2, 01-one/2-second 2/2");
  expect(written).toContain("\r\u001b[K  1 of 2 pages; 01-one/2-second 2/2");
  expect(written.endsWith("\r\u001b[K")).toBe(true);
});

test("follows the steps of one page, and reports the others after it", () => {
  let written = "";
  const stream = { write: (text: string) => (written += text) };
  const other: Report = { ...passed, page: failed.page, title: "Second" };
  {
    using overview = followPage(stream, passed.page, 2, { env: {} });
    const [followed, beside] = [overview.reporterOf(passed.page), overview.reporterOf(other.page)];
    followed.pageStarted?.({ path: passed.page, title: "First", provider: "embedded" });
    beside.pageStarted?.({ path: other.page, title: "Second", provider: "embedded" });
    followed.stepFinished?.(step);
    beside.stepFinished?.(step);
    beside.pageFinished?.(other);
    followed.stepFinished?.(step);
    followed.pageFinished?.(passed);
    overview.reporterOf(leaking.page).pageFinished?.({ ...leaking, passed: true });
  }
  expect(written).toBe(`\
First  tutorials/01-one/1-first.md, embedded
  ✓ A  1.0 s
  ✓ A  1.0 s

✓ First: 2 of 2 steps passed in 12.3 s on embedded

The other 2 pages run at the same time:
✓ 01-one/2-second  Second  2 steps  12.3 s
✓ elsewhere  First  2 steps  12.3 s
`);
});

test("reports the other pages when the followed one does not end", () => {
  let written = "";
  const stream = { write: (text: string) => (written += text) };
  {
    using overview = followPage(stream, passed.page, 1, { env: {} });
    overview.reporterOf(failed.page).pageFinished?.({ ...passed, page: failed.page });
  }
  expect(written).toContain("✓ 01-one/2-second  First  2 steps  12.3 s\n");
});
