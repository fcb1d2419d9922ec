import { join } from "node:path";
import { type EmbeddedCluster, startEmbeddedCluster } from "@operator-path/cluster";
import { UserError } from "@operator-path/cluster/user-error";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Course } from "./course.ts";
import { openCurrentWorkbench } from "./current-workbench.ts";
import { openMemory } from "./memory.ts";
import { testLearner } from "./testing/learner.ts";
import { testCourse } from "./testing/test-course.ts";

let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await startEmbeddedCluster();
});
afterAll(() => cluster.stop());

/** Opens t/2 of a course whose cluster has the objects of t/2. */
async function open(more: (course: Course) => Partial<Course> = () => ({})) {
  const learner = testLearner();
  const base = testCourse("## Run\n\nNothing.\n", learner, cluster);
  const course = {
    ...base,
    laterThan: async (name: string) => (name === "t/1" ? "t/2" : undefined),
    async open(name: string) {
      base.asked.push(`open ${name}`);
      return base.open(name);
    },
  };
  const workbench = await openCurrentWorkbench("t/2", {
    course: { ...course, ...more(course) },
    memory: openMemory(join(learner.folder, "workbench.json")),
    ...{ shortPath: () => "p", signal: AbortSignal.timeout(600_000) },
  });
  onTestFinished(() => workbench[Symbol.asyncDispose]());
  return { workbench, asked: base.asked };
}

test("closes a later page before its cluster stops, and says whose objects are aside", async () => {
  let terminals: readonly string[] | undefined;
  const { workbench, asked } = await open((course) => ({
    async goBackTo(name) {
      terminals = workbench.current().terminals.names();
      await course.goBackTo(name);
    },
  }));
  workbench.current().terminals.open("main");
  const next = await workbench.open("t/1");
  expect(asked).toEqual(["open t/2", "go back to t/1", "open t/1"]);
  expect(terminals).toEqual([]);
  expect((await next.view()).aside).toBe("t/2");
  expect(workbench.current()).toBe(next);
});

test("keeps the cluster for a page after this one", async () => {
  const { workbench, asked } = await open();
  const next = await workbench.open("t/3");
  expect(asked).toEqual(["open t/2", "open t/3"]);
  expect((await next.view()).aside).toBeUndefined();
});

test("opens the later page again if the earlier one cannot be opened", async () => {
  const { workbench, asked } = await open((course) => ({
    async open(name) {
      if (name === "t/1") throw new UserError("no bash");
      return course.open(name);
    },
  }));
  await expect(workbench.open("t/1")).rejects.toThrow("no bash");
  expect(asked).toEqual(["open t/2", "go back to t/1", "open t/2"]);
  workbench.current().terminals.open("main");
  expect(workbench.current().terminals.names()).toEqual(["main"]);
});
