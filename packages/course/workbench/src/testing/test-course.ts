import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { KubeConfig } from "@operator-path/client";
import { parsePage } from "@operator-path/walkthrough";
import type { Course, CoursePage, Outcome } from "../course.ts";
import type { TestLearner } from "./learner.ts";

/** A course with one page, whose commands record what they were asked for. */
export interface TestCourse extends Course {
  readonly asked: string[];
  readonly finished: Set<string>;
}

/**
 * Returns a course for a learner.
 *
 * @param body the page below its front matter
 * @param kubeConfig default: of a server that does not exist
 */
export function testCourse(body: string, learner: TestLearner, kubeConfig = nowhere()): TestCourse {
  const asked: string[] = [];
  const finished = new Set<string>();
  const page = parsePage(`---\ntitle: Try\nproject: p\n---\n${body}`, "page.md");
  const ask = async (what: string, ok = true): Promise<Outcome> => {
    asked.push(what);
    return { ok, text: what };
  };
  const directory = join(learner.folder, "terminals");
  mkdirSync(directory, { recursive: true });
  const coursePage: CoursePage = {
    ...{ name: "t/1", page, folder: learner.project, shell: learner.shell, directory, kubeConfig },
    pageOf: () => undefined,
    finished: async () => [...finished],
    async finish(step) {
      finished.add(step);
    },
    check: (step) => ask(`check ${step}`),
    catchUp: (step) => ask(`catch-up ${step}`),
    exercise: (step, number, action) => ask(`exercise ${step} ${number} ${action}`, action !== "check"),
    async keep(file, text) {
      asked.push(`keep ${file}: ${text}`);
      return `saved/${file}`;
    },
  };
  const steps = page.steps.length;
  return {
    ...{ asked, finished, open: async () => coursePage },
    pages: async () => [{ name: "t/1", title: "Try", minutes: undefined, steps, finished: finished.size }],
  };
}

function nowhere(): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: "nowhere", server: "https://127.0.0.1:1" }, { name: "user" });
  return kubeConfig;
}
