import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import {
  createVitestRunner,
  findPnpm,
  openExercise,
  type Page,
  type ProjectState,
  pagesUpTo,
  recordHistory,
  runProgram,
} from "@operator-path/walkthrough";
import { expect, onTestFinished, test } from "vitest";
import { exercisesUpTo } from "../check/exercises.ts";
import { listPages } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { repositoryRoot as root } from "../repository.ts";
import { pnpmSettings } from "../start/learner-environment.ts";
import { makeWorkshop } from "../start/workshop.ts";
import { definedOf } from "../test-environment.ts";
import { hasPnpm, skippedWithoutPnpm } from "../testing/pnpm.ts";

const { signal } = new AbortController();

/** The last page of each project of the first tutorial. */
const pages = (await listPages(root))
  .filter(({ name }) => name.startsWith("01-"))
  .map((file) => [file.name, readPage(file)] as const)
  .filter(([, page], index, all) => all[index + 1]?.[1].frontMatter.project !== page.frontMatter.project);

test.skipIf(!hasPnpm).each(pages)(
  `the tests of an exercise pass at each later step of the project of %s${skippedWithoutPnpm}`,
  async (_, page) => {
    const chain = pagesUpTo(page);
    const history = await recordHistory(chain, { root, signal });
    const learner = await openLearner(chain[0] ?? page);
    await using vitest = createVitestRunner();
    const failed: string[] = [];
    for (const [index, state] of history.states.entries()) {
      await learner.write(state);
      if (state.step === history.states[index + 1]?.step) continue;
      for (const { state: begun, block } of exercisesUpTo(history, index)) {
        const { work, env } = learner;
        const results = await openExercise(begun.page, block, { root, work, env, signal, vitest }).check();
        const broken = results.filter(({ status }) => status !== "passed");
        const at = `${basename(state.page.path)}:${state.block.line}`;
        failed.push(...broken.map(({ name, message }) => `after ${at}, "${name}": ${message}`));
      }
    }
    expect(failed).toEqual([]);
  },
);

/** Makes a learner's folder. `write` gives it the files of a state, and installs their packages. */
async function openLearner(page: Page) {
  const folder = await mkdtemp(join(tmpdir(), "later-steps-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tutorial = dirname(page.path);
  const work = join(folder, basename(tutorial));
  const env = {
    ...definedOf(process.env),
    TUTORIAL: tutorial,
    TMPDIR: folder,
    ...(await pnpmSettings(root)),
  };
  const project = join(work, page.frontMatter.project ?? "");
  await makeWorkshop({ root, tutorial, workshops: work, env, signal }, page);
  let before: ProjectState["files"] = new Map();
  return {
    work,
    env,
    async write({ files }: ProjectState): Promise<void> {
      for (const [file, { text }] of files) {
        await mkdir(dirname(join(project, file)), { recursive: true });
        await writeFile(join(project, file), text);
      }
      const manifest = files.get("package.json");
      const isNew = manifest !== undefined && manifest !== before.get("package.json");
      before = files;
      if (!isNew) return;
      const [pnpm = "pnpm", ...args] = findPnpm(process.env) ?? [];
      const install = [...args, "install", "--no-frozen-lockfile"];
      const { status, output } = await runProgram(pnpm, install, { cwd: project, env, signal });
      if (status !== 0) throw new Error(`pnpm install failed: ${output}`);
    },
  };
}
