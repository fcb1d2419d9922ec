import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type LearnerProject, learnerProject, sumFiles, sumPage } from "../testing/learner-project.ts";
import { until } from "../testing/until.ts";
import { watchWork } from "./watch.ts";

let learner: LearnerProject;
beforeEach(async () => {
  learner = await learnerProject({ "1-sum.md": sumPage });
});
afterEach(() => learner[Symbol.asyncDispose]());

it("checks again after each change, also in a new folder, and ends without an error", async () => {
  const stop = new AbortController();
  const said: string[] = [];
  let cleared = 0;
  await learner.write(sumFiles.setup);
  const watching = learner.run((options) =>
    watchWork(undefined, {
      ...options,
      signal: stop.signal,
      say: (line) => said.push(line),
      clear: () => void cleared++,
    }),
  );
  const shows = (text: string) => until(() => said.some((line) => line.includes(text)));
  await shows('step 1 of 5, "Set it up"');
  await learner.write(sumFiles.add);
  await shows('step 2 of 5, "Add two numbers"');
  await learner.write({ "src/add.ts": sumFiles.add["src/add.ts"].replace("a + b", "a - b") });
  await shows('"adds" of src/add.test.ts fails');
  stop.abort();
  expect((await watching).status).toBe(0);
  expect(cleared).toBeGreaterThanOrEqual(3);
});

it("checks again after Enter, since a command changes no file", async () => {
  const stop = new AbortController();
  const terminal = new PassThrough();
  const said: string[] = [];
  await learner.write(sumFiles.setup);
  const watching = learner.run((options) =>
    watchWork(undefined, {
      ...{ ...options, terminal, signal: stop.signal, clear: () => undefined },
      say: (line) => said.push(line),
    }),
  );
  const checks = () => said.filter((line) => line.includes('step 1 of 5, "Set it up"')).length;
  await until(() => said.some((line) => line.includes("Press Enter to check again")));
  expect(checks()).toBe(1);
  terminal.write("\n");
  await until(() => checks() === 2);
  stop.abort();
  expect((await watching).status).toBe(0);
});
