import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { learnerProject, sumFiles, sumPage } from "../testing/learner-project.ts";
import { checkWork } from "./check.ts";

const commands = '~~~console replay\n$ echo made > made.txt; echo ran >> "$TUTORIAL/../../runs"\n~~~\n\n';
const page = sumPage.replace("## The program", `${commands}## The program`);

it("runs the commands of a page once, and again after a change of the repository or damage to the file", async () => {
  await using learner = await learnerProject({ "1-sum.md": page });
  await learner.write({ ...sumFiles.setup, ...sumFiles.add });
  const check = async () => (await learner.run((options) => checkWork(undefined, options))).said;
  const runs = async () => (await readFile(join(learner.root, "runs"), "utf8")).split("\n").length - 1;

  const first = await check();
  expect(first).toContain('Right so far: step 2 of 5, "Add two numbers". Next: `echo made > made.txt');
  expect(await check()).toBe(first);
  expect(await runs()).toBe(1);

  const tutorial = join(learner.root, "tutorials/01-sum");
  await writeFile(join(tutorial, "given.txt"), "");
  expect(await check()).toBe(first);
  expect(await runs()).toBe(2);

  const file = join(learner.workshops, "01-sum/.history-p.json");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.slice(0, -10));
  expect(await check()).toBe(first);
  expect(await runs()).toBe(3);
});
