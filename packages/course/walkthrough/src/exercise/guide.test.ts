import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { edit, exercise, fold, solved, tutorial } from "../testing/double-exercise.ts";
import type { ExerciseGuide } from "./run-exercise.ts";

const learning = (answers: ("check" | "solution" | "stop")[], texts: string[] = []) => {
  const seen: unknown[] = [];
  const guide: ExerciseGuide = {
    async ask(task, results) {
      seen.push(results.map(({ name, status }) => [name, status]));
      const text = texts.shift();
      if (text !== undefined) writeFileSync(task.path, text);
      return answers.shift() ?? "stop";
    },
    async ended(task, outcome) {
      seen.push([outcome, readFileSync(task.path, "utf8")]);
    },
  };
  return { seen, guide };
};
const failed = [["twice (two) is four", "failed"]];

test.each([
  ["in the committed project", {}],
  ["in a fold, on the starter", { below: fold(`${edit}+  return 2 * n;\n~~~`) }],
])("checks what a learner writes until the tests pass, and goes on with the solution %s", async (_, o) => {
  using folder = tutorial(exercise(o));
  const wrong = solved.replace("2 *", "3 *");
  const own = solved.replace("2 * n", "n + n + 22 - 22");
  const { guide, seen } = learning(["check", "check"], [wrong, own]);
  const report = await folder.run("1-page.md", { guide });
  expect(seen).toEqual([failed, failed, ["solved", own]]);
  expect(report.difference).toBeUndefined();
  expect(report.passed).toBe(true);
});

test.each([
  ["`solution` goes on with the committed solution", "solution" as const, ["passed", "passed"]],
  ["`stop` ends the run after Clean up", "stop" as const, ["not run", "passed"]],
])("%s", async (_, answer, statuses) => {
  using folder = tutorial(exercise());
  const { guide, seen } = learning([answer], ["mine"]);
  const report = await folder.run("1-page.md", { guide });
  expect(seen).toEqual([failed, [answer, "mine"]]);
  expect(report.difference).toBeUndefined();
  expect(report.steps.map(({ status }) => status)).toEqual(statuses);
  expect(folder.left()).toEqual([]);
});

test("an interrupt ends the run, and hands back what the learner wrote", async () => {
  using folder = tutorial(exercise());
  const abort = new AbortController();
  const { guide, seen } = learning([]);
  const report = await folder.run("1-page.md", {
    signal: abort.signal,
    guide: {
      ...guide,
      async ask(task) {
        writeFileSync(task.path, "mine");
        abort.abort();
        throw abort.signal.reason;
      },
    },
  });
  expect(seen).toEqual([["stop", "mine"]]);
  expect(report).toMatchObject({ passed: false, steps: [{ status: "not run" }, { status: "not run" }] });
  expect(report.difference).toBeUndefined();
  expect(folder.left()).toEqual([]);
});
