import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkWork } from "../check/check.ts";
import { type LearnerProject, learnerProject, sumFiles, sumPage } from "../testing/learner-project.ts";
import { catchUp } from "./catch-up.ts";

let learner: LearnerProject;
beforeEach(async () => {
  learner = await learnerProject({ "1-sum.md": sumPage });
  // The project has its packages.
  await writeFile(join(learner.project, "pnpm-lock.yaml"), "");
});
afterEach(() => learner[Symbol.asyncDispose]());

const run = (step?: string) => learner.run((options) => catchUp(step, options));
const check = () => learner.run((options) => checkWork(undefined, options));

describe("catch-up", () => {
  it("writes the files of the page after a step, and saves the learner's own", async () => {
    const mine = sumFiles.add["src/add.ts"].replace("a + b", "a - b");
    await learner.write({ ...sumFiles.setup, "src/add.ts": mine, "src/own.ts": "export {};\n" });
    const { status, said } = await run("the-program");
    expect(status).toBe(0);
    expect(said).toContain("What you wrote is in .operator-path/01-sum/saved/p/src/add.ts.");
    expect(said).toContain("Replaces src/add.ts: it differs from the page's.");
    expect(said).toContain("Wrote src/main.ts.");
    expect(await learner.read("../saved/p/src/add.ts")).toBe(mine);
    expect(await learner.read("src/own.ts")).toBe("export {};\n");
    expect((await check()).said).toContain('Right so far: step 3 of 5, "The program"');
  });

  it("keeps a file that differs from the page's only in its format", async () => {
    const formatted = '{\n    "type": "module"\n}\n';
    await learner.write({ ...sumFiles.setup, "package.json": formatted });
    expect((await run("2")).said).not.toContain("package.json");
    expect(await learner.read("package.json")).toBe(formatted);
  });

  it("saves two versions of a file under two names", async () => {
    for (const text of ["first\n", "second\n"]) {
      await learner.write({ "src/add.ts": text });
      await run("2");
    }
    expect(await learner.read("../saved/p/src/add.ts")).toBe("first\n");
    expect(await learner.read("../saved/p/src/add-2.ts")).toBe("second\n");
  });

  it("goes up to the step after the last right one", async () => {
    await learner.write({ ...sumFiles.setup, ...sumFiles.add });
    await run();
    expect((await check()).said).toContain('"The program"');
    await learner.write({ "src/add.ts": sumFiles.add["src/add.ts"].replace("a + b", "a - b") });
    const { said } = await run("2");
    expect(said).toContain("Replaces src/add.ts: it differs from the page's.");
    expect((await check()).said).toContain('Right so far: step 2 of 5, "Add two numbers"');
  });

  it("completes a step that is wrong, and goes no further", async () => {
    const wrong = sumFiles.add["src/add.ts"].replace("a + b", "a - b");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, "src/add.ts": wrong });
    await run();
    expect((await check()).said).toContain('Right so far: step 2 of 5, "Add two numbers"');
  });

  it("goes back, and removes files that later steps write", async () => {
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, ...sumFiles.more });
    await learner.write({ "map.yaml": "mine: true\n" });
    const { said } = await run("1");
    expect(said).toMatch(
      /^This goes back to an earlier step: it removes or replaces .*src\/main\.ts.*\n.*saved\/p\./,
    );
    expect(said).toContain("Removed src/main.ts: a later step writes it.");
    expect(said).toContain("Removes map.yaml: a later step writes it.\nWhat you wrote is in ");
    expect(said).not.toContain("Removed map.yaml");
    expect(learner.has("01-sum/p/src/main.ts")).toBe(false);
    expect(await learner.read("../saved/p/map.yaml")).toBe("mine: true\n");
  });

  it("removes a file that the page has removed, and does not call that going back", async () => {
    const without = "## Without the map\n\n~~~console replay\n$ rm map.yaml\n~~~\n\n## Larger numbers";
    await using other = await learnerProject({ "1-sum.md": sumPage.replace("## Larger numbers", without) });
    await writeFile(join(other.project, "pnpm-lock.yaml"), "");
    await other.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program });
    const { said } = await other.run((options) => catchUp("larger-numbers", options));
    expect(said).toContain("Removed map.yaml: the page has removed it.");
    expect(said).not.toContain("goes back");
    expect(other.has("01-sum/p/map.yaml")).toBe(false);
  });

  it("leaves the files with --objects, whichever step is named", async () => {
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, ...sumFiles.more });
    for (const step of [undefined, "1"]) {
      const { said } = await learner.run((options) => catchUp(step, { ...options, objects: true }));
      expect(said).toContain("Your files are unchanged.");
      expect(said).not.toMatch(/Removed|Changed|Wrote/);
      expect(learner.has("01-sum/p/src/main.ts")).toBe(true);
    }
  });

  it("counts a step without files, for check and for the next catch-up", async () => {
    const readIt = "## Read it\n\nNothing to write here.\n\n## The program";
    await using other = await learnerProject({ "1-sum.md": sumPage.replace("## The program", readIt) });
    await writeFile(join(other.project, "pnpm-lock.yaml"), "");
    const catchUpThere = (step?: string) => other.run((options) => catchUp(step, options));
    const checkThere = async () => (await other.run((options) => checkWork(undefined, options))).said;
    expect((await catchUpThere("3")).said).toContain(
      'You are at the end of step 3 of 6, "Read it". `check` says what comes next.',
    );
    expect(await checkThere()).toContain('Right so far: step 3 of 6, "Read it". Next: "The program"');
    await catchUpThere();
    expect(await checkThere()).toContain('Right so far: step 4 of 6, "The program"');
    await catchUpThere("2");
    expect(await checkThere()).toContain('Right so far: step 2 of 6, "Add two numbers". Next: "Read it"');
  });

  it("lists the commands that it does not run last, and does not count their steps as done", async () => {
    const deploys = "~~~console\n$ make docker-build\n$ make deploy\n~~~\n\n## The program";
    await using other = await learnerProject({ "1-sum.md": sumPage.replace("## The program", deploys) });
    await writeFile(join(other.project, "pnpm-lock.yaml"), "");
    const { said } = await other.run((options) => catchUp("3", options));
    expect(said).toMatch(
      /end of step 3 of 5.*\nStill yours to run.*\n {2}\$ pnpm install\n {2}\$ make docker-build {3}\(1-sum\.md:\d+, terminal 1\)\n {2}\$ make deploy {3}.*\nAfter a build, delete the Pods that found no image/,
    );
    const { pages } = JSON.parse(await readFile(join(other.workshops, "progress.json"), "utf8"));
    expect(pages["01-sum/1"].done).toEqual(["set-it-up", "the-program"]);
  });

  it("leaves nothing to run at the end of a cleaned page, and begins in the project's folder", async () => {
    const deploys = "~~~console\n$ make deploy\n~~~\n\n## The program";
    await using other = await learnerProject({ "1-sum.md": sumPage.replace("## The program", deploys) });
    await writeFile(join(other.project, "pnpm-lock.yaml"), "");
    const cwd = join(other.workshops, "01-sum");
    const { said } = await other.run((options) => catchUp("clean-up", options), { cwd });
    expect(said).toMatch(
      /You are at the end of step 5 of 5, "Clean up".*\nStill yours to run.*\n {2}\$ cd p\n {2}\$ pnpm install\n?$/,
    );
  });

  it("keeps a step done that the learner has finished, whatever it runs", async () => {
    const deploys = "~~~console\n$ make deploy\n~~~\n\n## The program";
    await using other = await learnerProject({ "1-sum.md": sumPage.replace("## The program", deploys) });
    await writeFile(join(other.project, "pnpm-lock.yaml"), "");
    await other.write({ ...sumFiles.setup, ...sumFiles.add });
    await other.run((options) => checkWork(undefined, options));
    await other.run((options) => catchUp("3", options));
    const { pages } = JSON.parse(await readFile(join(other.workshops, "progress.json"), "utf8"));
    expect(pages["01-sum/1"].done).toContain("add-two-numbers");
  });

  it("goes up to the last finished step if its files are missing", async () => {
    await run("4");
    // The files lead to step 2.
    for (const file of ["src/main.ts", "map.yaml"]) await rm(join(learner.project, file));
    expect((await run()).said).toContain("You are at the end of step 4 of 5");
    expect(await learner.read("src/main.ts")).toBe(sumFiles.more["src/main.ts"]);
  });

  it("lists at most ten lines about files", async () => {
    const many = Array.from(
      { length: 12 },
      (_, i) => `[f${i}.txt](p/f${i}.txt)\n\n~~~text file\n${i}\n~~~\n`,
    );
    const page = sumPage.replace("## Add two numbers", `${many.join("\n")}\n## Add two numbers`);
    await using other = await learnerProject({ "1-sum.md": page });
    await writeFile(join(other.project, "pnpm-lock.yaml"), "");
    const { said } = await other.run((options) => catchUp("1", options));
    expect(said.match(/^Wrote /gm)).toHaveLength(9);
    expect(said).toContain("… and 5 more files.");
  });

  it("begins with the first step that has files", async () => {
    await run();
    expect((await check()).said).toContain('Right so far: step 1 of 5, "Set it up"');
  });
});
