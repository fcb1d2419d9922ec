import { mkdir, readdir, readFile, rename, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type LearnerProject, learnerProject, sumFiles, sumPage } from "../testing/learner-project.ts";
import { checkWork } from "./check.ts";

const commands = '~~~console replay\n$ echo made > made.txt; echo ran >> "$TUTORIAL/../../runs"\n~~~\n\n';
const page = sumPage.replace("## The program", `${commands}## The program`);

let learner: LearnerProject;
beforeEach(async () => {
  learner = await learnerProject({ "1-sum.md": page });
  await learner.write({ ...sumFiles.setup, ...sumFiles.add });
  await mkdir(join(learner.root, "packages"));
  for (const file of ["packages/tool.ts", "pnpm-lock.yaml"]) await writeFile(join(learner.root, file), "");
});
afterEach(() => learner[Symbol.asyncDispose]());

const check = async () => (await learner.run((options) => checkWork(undefined, options))).said;
const runs = async () => (await readFile(join(learner.root, "runs"), "utf8")).split("\n").length - 1;
const pagePath = () => join(learner.root, "tutorials/01-sum/1-sum.md");

it("runs the commands of a page once", async () => {
  const first = await check();
  expect(first).toContain('Right so far: step 2 of 5, "Add two numbers". Next: `echo made > made.txt');
  expect(await check()).toBe(first);
  expect(await runs()).toBe(1);
});

it.each(["packages/tool.ts", "pnpm-lock.yaml", "tutorials/01-sum/given.txt"])(
  "runs them again after a change of %s",
  async (file) => {
    const first = await check();
    await writeFile(join(learner.root, file), "changed");
    expect(await check()).toBe(first);
    expect(await runs()).toBe(2);
  },
);

it("runs them again after a change of the page, even of the same size and time", async () => {
  const time = new Date("2026-01-02T03:04:05Z");
  await utimes(pagePath(), time, time);
  await check();
  const text = await readFile(pagePath(), "utf8");
  await writeFile(pagePath(), text.replace("echo made >", "echo MADE >"));
  await utimes(pagePath(), time, time);
  expect(await check()).toContain("Next: `echo MADE > made.txt");
  expect(await runs()).toBe(2);
});

it("runs them again if what it has kept is damaged", async () => {
  const first = await check();
  const folder = join(learner.workshops, "01-sum");
  const [file = ""] = (await readdir(folder)).filter((name) => name.startsWith(".history"));
  const text = await readFile(join(folder, file), "utf8");
  await writeFile(join(folder, file), text.slice(0, -10));
  expect(await check()).toBe(first);
  expect(await runs()).toBe(2);
});

it("does not need what it compares: a link that leads nowhere, a missing folder", async () => {
  await symlink("nowhere", join(learner.root, "packages/.#tool.ts"));
  const first = await check();
  expect(await check()).toBe(first);
  expect(await runs()).toBe(1);
  await rename(join(learner.root, "packages"), join(learner.root, "moved"));
  expect(await check()).toBe(first);
});
