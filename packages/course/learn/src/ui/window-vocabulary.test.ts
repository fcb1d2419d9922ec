import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { catchUp } from "../catch-up/catch-up.ts";
import { checkWork } from "../check/check.ts";
import { listPages } from "../pages.ts";
import { type LearnerProject, learnerProject, sumFiles, sumPage } from "../testing/learner-project.ts";
import { windowVocabulary } from "./window-vocabulary.ts";

const deploys = "~~~console\n$ make deploy\n~~~\n\n## The program";
const next =
  "---\ntitle: Product\nproject: p\nstart: page 1\n---\n\n## Multiply\n\n[b.yaml](p/b.yaml)\n\n~~~yaml file\nb: 1\n~~~\n";
let learner: LearnerProject;
beforeEach(async () => {
  learner = await learnerProject({
    "1-sum.md": sumPage.replace("## The program", deploys),
    "2-product.md": next,
  });
  await writeFile(join(learner.project, "pnpm-lock.yaml"), "");
});
afterEach(() => learner[Symbol.asyncDispose]());

/** Runs a command as the window of a page does, the first page by default. */
const inWindow = async (
  command: typeof checkWork | typeof catchUp,
  step?: string,
  shown = 0,
): Promise<string> => {
  const files = await listPages(learner.root);
  const [page] = files.slice(shown);
  if (!page) throw new Error("there is no such page");
  const words = windowVocabulary(page, files);
  return (await learner.run((options) => command(step, { ...options, words }))).said;
};

it("names a place by its step, and the button that mends a file", async () => {
  await learner.write({ "package.json": sumFiles.setup["package.json"], ...sumFiles.add });
  expect(await inWindow(checkWork)).toBe(
    [
      'step 1 of 5, "Set it up"',
      "✗ tsconfig.json: you do not have this file",
      '  The page shows it in the step "Set it up"',
      '  Write it, or let "Catch up to here" write it.',
    ].join("\n"),
  );
});

it("names the button that compares a file", async () => {
  const wrong = sumFiles.program["map.yaml"].replace("name: sum", "name: some");
  await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "map.yaml": wrong });
  expect(await inWindow(checkWork)).toContain('Correct map.yaml:4; "Show mine beside it" shows');
});

it("names the next step, the button after the last file, and the one after the last step", async () => {
  await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, ...sumFiles.more });
  expect(await inWindow(checkWork)).toBe(
    '✓ Right so far: step 4 of 5, "Larger numbers". After it: "Clean up"\n' +
      '  No later step of this page changes a file. When you reach the end of the page, "Check my work" says what comes next.',
  );
  expect(await inWindow(checkWork, "clean-up")).toContain(
    'Next: 01-sum/2, "Product". Press "Next page" below the last step.',
  );
});

it("names the steps of commands to run, and the button that says what comes next", async () => {
  expect(await inWindow(catchUp, "3")).toMatch(
    /\n {2}\$ make deploy {3}\(the step "Add two numbers", terminal 1\)$/,
  );
  expect(await inWindow(catchUp, "1")).toContain('"Set it up". "Check my work" says what comes next.');
});

it("names the page of a step that is on another one", async () => {
  await learner.write(sumFiles.setup);
  expect(await inWindow(checkWork, undefined, 1)).toContain('Next: "Add two numbers" (01-sum/1)');
  await learner.write({ "src/main.ts": sumFiles.program["src/main.ts"] });
  expect(await inWindow(checkWork, undefined, 1)).toContain(
    'shows it in the step "Add two numbers" of 01-sum/1\n',
  );
});
