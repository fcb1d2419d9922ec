import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { pathBelow } from "../files/tree.ts";
import type { ExerciseBlock, Page } from "../page/page.ts";
import { parsePage } from "../page/parse.ts";
import { projectOf } from "../project/page-chain.ts";
import { prepareProject } from "../project/prepare.ts";
import { withStage } from "../project/stage.ts";
import { runProgram } from "../run/run-program.ts";
import { runTests } from "./tests.ts";
import { createVitestRunner } from "./vitest-runner.ts";

/** Folder of the alternatives, below the tutorial's folder. */
const alternatives = "tests/exercises";

/** An exercise, and files that could take the place of its solution. */
export interface ExerciseWithAlternatives {
  readonly page: Page;
  readonly block: ExerciseBlock;
  /** `1@the-size`, or `1@the-size@2` for the second exercise of a step. */
  readonly name: string;
  /** Absolute paths of correct solutions, which pass the exercise's tests. */
  readonly others: readonly string[];
  /** Absolute paths of wrong solutions, which fail at least one test. */
  readonly wrongs: readonly string[];
}

/**
 * Finds the exercises of a tutorial and their alternatives: `tests/exercises/1@the-size/other.ts` and
 * `wrong.ts`. Each is the whole content of the exercise's file. Returns a problem for each folder that
 * belongs to no exercise, each file with an unexpected name, and each alternative that equals the committed
 * solution.
 *
 * @param tutorial absolute path of the tutorial's folder
 */
export function findAlternatives(tutorial: string): {
  exercises: ExerciseWithAlternatives[];
  problems: string[];
} {
  const root = join(tutorial, alternatives);
  const exercises = readdirSync(tutorial)
    .filter((file) => /^\d+-.*\.md$/.test(file))
    .map((file) => parsePage(readFileSync(join(tutorial, file), "utf8"), join(tutorial, file)))
    .flatMap((page) => exercisesOf(page, root));
  const known = exercises.map(({ name }) => name);
  const problems = namesIn(root)
    .filter((folder) => !known.includes(folder))
    .map((folder) => `${alternatives}/${folder} belongs to no exercise: there are ${known.join(", ")}`);
  for (const { name, block, others, wrongs } of exercises) {
    const ext = extname(block.file);
    for (const file of namesIn(join(root, name))) {
      const path = join(root, name, file);
      if (!others.includes(path) && !wrongs.includes(path))
        problems.push(
          `${alternatives}/${name}/${file}: call it other….${ext.slice(1)} or wrong….${ext.slice(1)}`,
        );
      else if (isCommitted(path, join(tutorial, block.file)))
        problems.push(
          `${alternatives}/${name}/${file} is the committed ${block.file}: write another solution`,
        );
    }
  }
  return { exercises, problems };
}

function exercisesOf(page: Page, root: string): ExerciseWithAlternatives[] {
  const number = /^0*(\d+)-/.exec(basename(page.path))?.[1] ?? "";
  return page.steps.flatMap(({ slug, blocks }) =>
    blocks
      .filter((block) => block.kind === "exercise")
      .map((block, i) => {
        const name = `${number}@${slug}${i === 0 ? "" : `@${i + 1}`}`;
        const ext = extname(block.file);
        const files = namesIn(join(root, name)).filter((file) => file.endsWith(ext));
        const called = (kind: string) =>
          files.filter((file) => file.startsWith(kind)).map((file) => join(root, name, file));
        return { page, block, name, others: called("other"), wrongs: called("wrong") };
      }),
  );
}

function namesIn(folder: string): string[] {
  return existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder).sort() : [];
}

function isCommitted(path: string, committed: string): boolean {
  return existsSync(committed) && readFileSync(committed).equals(readFileSync(path));
}

export interface RunAlternativesOptions {
  /** The repository's root folder. */
  readonly root: string;
  readonly signal?: AbortSignal;
}

/**
 * Builds the learner's folder of a page up to each of the given exercises, puts each alternative in the place
 * of the starter, and runs the exercise's tests. Needs no cluster. Returns a problem for each `other` with a
 * test that does not pass, and for each `wrong` whose tests all pass, or do not run.
 *
 * @param exercises from `findAlternatives`, of one page
 */
export async function runAlternatives(
  exercises: readonly ExerciseWithAlternatives[],
  { root, signal }: RunAlternativesOptions,
): Promise<string[]> {
  const own = exercises.filter(({ others, wrongs }) => others.length + wrongs.length > 0);
  const problems: string[] = [];
  const last = own.at(-1);
  if (last === undefined) return problems;
  const { page } = last;
  const project = projectOf(page, root);
  const scaffolds = page.frontMatter.requires.includes("operator-sdk");
  let installed: string | undefined;
  await using vitest = createVitestRunner();
  await withStage(
    page,
    {
      root,
      until: last.block.line,
      ...(signal && { signal }),
      async atExercise(block, { work, folder, env }) {
        const exercise = own.find((one) => one.block.line === block.line);
        if (!exercise) return;
        const learner = join(work, page.frontMatter.project ?? "");
        const manifest = join(learner, "package.json");
        const needs = existsSync(manifest) ? readFileSync(manifest, "utf8") : undefined;
        if (needs !== installed && needs?.includes("ependencies")) {
          const packages = join(folder, "packages");
          if (project !== undefined && !scaffolds)
            (await prepareProject({ root, project, packages, ...(signal && { signal }) }))?.sync(learner);
          const { status, output } = await runProgram("pnpm", ["install"], { cwd: learner, env, signal });
          if (status !== 0)
            throw new Error(`${page.path}: pnpm install failed before ${exercise.name}: ${output}`);
        }
        installed = needs;
        const path = pathBelow(work, block.file);
        const starter = readFileSync(path, "utf8");
        for (const file of [...exercise.others, ...exercise.wrongs]) {
          writeFileSync(path, readFileSync(file));
          const results = await runTests(block, { work, learner, env, signal, timeout: 120_000, vitest });
          const wrong = exercise.wrongs.includes(file);
          const unexpected = results.find(({ status }) =>
            wrong ? status === "broken" : status !== "passed",
          );
          const name = join(alternatives, exercise.name, basename(file));
          if (unexpected)
            problems.push(
              `${name}: "${unexpected.name}" ${saidOf[unexpected.status]}: ${unexpected.message}`,
            );
          else if (wrong && results.every(({ status }) => status === "passed"))
            problems.push(`${name} passes all tests of the exercise`);
        }
        writeFileSync(path, starter);
      },
    },
    async () => {},
  );
  return problems;
}

const saidOf = { passed: "passes", failed: "fails", broken: "does not run" } as const;
