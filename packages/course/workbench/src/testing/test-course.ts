import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { KubeConfig } from "@operator-path/client";
import type { EmbeddedCluster } from "@operator-path/cluster";
import { parsePage } from "@operator-path/walkthrough";
import type { Course, CoursePage, Outcome, TestOutcome } from "../course.ts";
import type { TestLearner } from "./learner.ts";

/** A course with one page, whose commands record what they were asked for. */
export interface TestCourse extends Course {
  readonly asked: string[];
  readonly finished: Set<string>;
  /** How often the cluster's objects were saved. */
  readonly saves: { readonly count: number };
}

/**
 * Returns a course for a learner.
 *
 * @param body the page below its front matter
 * @param cluster default: a server that does not exist. Without `faults`, it is not the session's own
 */
export function testCourse(
  body: string,
  learner: TestLearner,
  cluster: Partial<Pick<EmbeddedCluster, "kubeConfig" | "faults">> = {},
): TestCourse {
  const { kubeConfig = nowhere(), faults } = cluster;
  const asked: string[] = [];
  const finished = new Set<string>();
  const saves = { count: 0 };
  const page = parsePage(`---\ntitle: Try\nproject: p\n---\n${body}`, "page.md");
  const ask = async (what: string, ok = true): Promise<Outcome> => {
    asked.push(what);
    return { ok, text: what };
  };
  const directory = join(learner.folder, "terminals");
  mkdirSync(directory, { recursive: true });
  const coursePage: CoursePage = {
    ...{ name: "t/1", page, folder: learner.project, shell: learner.shell, directory, kubeConfig, faults },
    drafts: join(learner.folder, "drafts"),
    pageOf: () => undefined,
    finished: async () => [...finished],
    async finish(step) {
      finished.add(step);
    },
    async saveObjects() {
      saves.count++;
    },
    async missingAbove(line, text) {
      return text.includes("needs-a-file") ? [`line ${line} needs a file`] : [];
    },
    async check(step, doing, unfinished) {
      doing("checking the types");
      const outcome = await ask(`check ${step}`);
      if (step === undefined || !outcome.ok) return outcome;
      if (!unfinished.has(step)) finished.add(step);
      return { ...outcome, reached: step };
    },
    catchUp: (step) => ask(`catch-up ${step}`),
    async exercise(step, number, action) {
      const outcome = await ask(`exercise ${step} ${number} ${action}`, action !== "check");
      return action === "check" ? { ...outcome, tests: failedTests } : outcome;
    },
    async keep(file, text) {
      asked.push(`keep ${file}: ${text}`);
      return `saved/${file}`;
    },
  };
  const steps = page.steps.length;
  return {
    ...{ asked, finished, saves, open: async () => coursePage, read: async () => page },
    laterThan: async () => undefined,
    goBackTo: async (name) => void asked.push(`go back to ${name}`),
    pages: async () => [
      { name: "t/1", title: "Try", minutes: undefined, steps, finished: finished.size },
      { name: "t/2", title: "More", minutes: undefined, steps: 1, finished: 0 },
      { name: "u/1", title: "Most", minutes: undefined, steps: 1, finished: 0 },
    ],
  };
}

/** What a check of the exercise says. */
const failedTests: readonly TestOutcome[] = [
  { name: "counts", file: "src/c.test.ts", status: "passed", message: "", advice: [] },
  {
    ...{ name: "forgets", file: "src/c.test.ts", status: "failed" },
    message: "AssertionError: expected 0 to be 3\n- Expected\n+ Received\n\n- 3\n+ 0",
    advice: ["It fails at src/c.ts:1."],
    ...{ values: { expected: "3", received: "0" }, place: { file: "src/c.ts", line: 1 } },
  },
];

function nowhere(): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: "nowhere", server: "https://127.0.0.1:1" }, { name: "user" });
  return kubeConfig;
}
