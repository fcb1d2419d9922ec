import { expect, it } from "vitest";
import { formatReport, type KindReport } from "./report.ts";

const report: KindReport = {
  date: "2026-11-22T15:00:00.000Z",
  command: "pnpm proof kind",
  kind: "0.33.0",
  kubernetes: "v1.36.4",
  runtime: "containerd://2.2.1",
  nodes: 2,
  engine: "docker 29.1.3",
  kernel: "6.18.0",
  cgroup: "2",
  images: "pulled",
  clusterSeconds: 22.04,
  seconds: 400,
  pages: [
    {
      page: "01-a/1-b",
      passed: true,
      steps: 3,
      passedSteps: 3,
      seconds: 10.25,
      skipped: ["line 9: only on envtest"],
    },
    {
      page: "01-a/2-c",
      passed: false,
      steps: 4,
      passedSteps: 1,
      seconds: 5,
      skipped: [],
      difference: "line 7: no",
    },
  ],
  left: [],
};

it("lists the machine, the result of each page, skipped blocks, and that nothing is left", () => {
  const text = formatReport(report);
  expect(text).toContain("`pnpm proof kind` on 2026-11-22:");
  expect(text).toContain("| Kubernetes | v1.36.4, containerd://2.2.1 |");
  expect(text).toContain("| [01-a/1-b](../../../../tutorials/01-a/1-b.md) | 3 of 3 | 10.3 | passed |");
  expect(text).toContain("| 1 of 4 | 5.0 | line 7: no |");
  expect(text).toContain("1 of 2 pages passed. Nothing was left afterwards:");
  expect(text).toContain("- 01-a/1-b: line 9: only on envtest");
});

it("names leftovers", () => {
  expect(formatReport({ ...report, left: ["volume abc", "process 7"] })).toContain(
    "Left behind: volume abc; process 7.",
  );
});
