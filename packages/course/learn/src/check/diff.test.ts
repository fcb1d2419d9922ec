import { afterEach, beforeEach, expect, it } from "vitest";
import { type LearnerProject, learnerProject, sumFiles, sumPage } from "../testing/learner-project.ts";
import { showDiff } from "./diff.ts";

let learner: LearnerProject;
beforeEach(async () => {
  learner = await learnerProject({ "1-sum.md": sumPage });
});
afterEach(() => learner[Symbol.asyncDispose]());

const diff = (file?: string, cwd = "/") => learner.run((options) => showDiff(file, options), { cwd });

it("shows the learner's lines and the page's, for all files or for one", async () => {
  await learner.write({ ...sumFiles.setup, ...sumFiles.add });
  expect(await diff()).toEqual({ status: 0, said: "Every file matches the page." });
  await learner.write({ "src/add.ts": sumFiles.add["src/add.ts"].replace("a + b", "b + a") });
  const all = await diff();
  expect(all.status).toBe(1);
  const { said } = all;
  expect(said).toMatch(/^--- yours\/src\/add\.ts\n\+\+\+ page\/src\/add\.ts\n@@ /);
  expect(said).toContain("\n-  return b + a;\n+  return a + b;\n");
  expect((await diff("src/add.ts")).said).toBe(said);
  expect((await diff("add.ts", `${learner.project}/src`)).said).toBe(said);
  expect((await diff("src/add.test.ts")).said).toBe("src/add.test.ts matches the page.");
});

it("names Windows line ends, which show in no line of a diff", async () => {
  const windows = sumFiles.add["src/add.ts"].replaceAll("\n", "\r\n");
  await learner.write({ ...sumFiles.setup, ...sumFiles.add, "src/add.ts": windows });
  expect(await diff()).toEqual({
    status: 1,
    said: "src/add.ts has the page's lines, with Windows line ends (CRLF). Remove them: sed -i 's/\\r$//' src/add.ts",
  });
});

it("shows a file that only one of them has, and rejects one that neither has", async () => {
  await learner.write({ ...sumFiles.add, "src/own.ts": "export {};\n" });
  expect((await diff("tsconfig.json")).said).toContain("--- /dev/null");
  expect((await diff("src/own.ts")).said).toContain("+++ /dev/null");
  await expect(diff("src/none.ts")).rejects.toThrow("there is no src/none.ts in");
});
