import { expect, test } from "vitest";
import { exercise, solved, starter, tutorial } from "../testing/double-exercise.ts";
import { findAlternatives, runAlternatives } from "./alternatives.ts";

const right = starter.replace("_n", "n").replace('throw new Error("your turn")', "return n + n");
const wrong = starter.replace("_n", "n").replace('throw new Error("your turn")', "return n + 1");
const two = exercise({
  test: "of nothing > is nothing",
  block: "export function double(n: number): number {\n",
});
const at = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`tests/exercises/${folder}/${name}`, text]),
  );

test("finds the alternatives of each exercise by its page, step and number", () => {
  const files = {
    ...at("1@begin", { "other.ts": right, "wrong.ts": wrong, "wrong-2.ts": `${wrong}\n` }),
    ...at("1@begin@2", { "other.ts": right }),
  };
  using folder = tutorial(exercise() + two, files);
  const { exercises, problems } = findAlternatives(folder.folder);
  expect(problems).toEqual([]);
  expect(exercises.map(({ name, others, wrongs }) => [name, others.length, wrongs.length])).toEqual([
    ["1@begin", 1, 2],
    ["1@begin@2", 1, 0],
  ]);
});

test("reports folders without an exercise, other names and the committed solution", () => {
  const files = {
    ...at("1@begn", { "other.ts": right }),
    ...at("1@begin", { "other.ts": solved, "rong.ts": wrong, "wrong.js": wrong }),
  };
  using folder = tutorial(exercise(), files);
  expect(findAlternatives(folder.folder).problems).toEqual([
    "tests/exercises/1@begn belongs to no exercise: there are 1@begin",
    "tests/exercises/1@begin/other.ts is the committed p/double.ts: write another solution",
    "tests/exercises/1@begin/rong.ts: call it other….ts or wrong….ts",
    "tests/exercises/1@begin/wrong.js: call it other….ts or wrong….ts",
  ]);
});

test("accepts correct solutions that pass and wrong ones that fail, and leaves nothing", async () => {
  using folder = tutorial(exercise(), at("1@begin", { "other.ts": right, "wrong.ts": wrong }));
  const { exercises } = findAlternatives(folder.folder);
  expect(await runAlternatives(exercises, { root: folder.folder })).toEqual([]);
});

test("reports a correct solution that fails, and wrong ones that pass or do not load", async () => {
  const squares = right.replace("n + n", "n * n");
  const files = at("1@begin", {
    "other.ts": wrong,
    "wrong-1.ts": squares,
    "wrong-2.ts": "export function (\n",
  });
  using folder = tutorial(exercise(), files);
  const { exercises } = findAlternatives(folder.folder);
  expect(await runAlternatives(exercises, { root: folder.folder })).toEqual([
    expect.stringMatching(/^tests\/exercises\/1@begin\/other\.ts: "twice \(two\) is four" fails: .*3/s),
    "tests/exercises/1@begin/wrong-1.ts passes all tests of the exercise",
    expect.stringMatching(/^tests\/exercises\/1@begin\/wrong-2\.ts: "twice \(two\) is four" does not run: /),
  ]);
});
