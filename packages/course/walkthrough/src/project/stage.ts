import { rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findTool } from "@operator-path/tools";
import type { Block, ExerciseBlock, Page } from "../page/page.ts";
import { createEnvironment, type RunEnvironment } from "../run/environment.ts";
import { type ReplayOptions, writeBlocks, writeStart } from "./page-chain.ts";
import { installFromStore } from "./pnpm-store.ts";

export interface StageOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** Slug of the last step, or line of the last block, to apply. Default: all of them. */
  readonly until?: string | number;
  /** Called between the starter and the solution of each exercise of the page. */
  readonly atExercise?: (block: ExerciseBlock, environment: RunEnvironment) => Promise<void>;
  /** Called before and after each block of the page, with the folder that contains the project. */
  readonly atBlock?: (block: Block, when: "before" | "after", work: string) => void;
  /** As in ReplayOptions. */
  readonly solutions?: ReadonlyMap<string, string> | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Makes the project of a page as it is after a step, in its own folder and without a cluster, and passes it
 * to `use`. Removes the folder afterwards. Rejects with PageFailure if an edit does not apply or a command
 * fails.
 */
export async function withStage<T>(
  page: Page,
  { root, until, atExercise, atBlock, solutions, signal }: StageOptions,
  use: (project: string) => Promise<T>,
): Promise<T> {
  return withReplays(page, { root, ...(signal && { signal }) }, async (work, options, environment) => {
    const replay = { ...options, solutions };
    await writeStart(page, work, replay);
    await writeBlocks(page, work, {
      ...replay,
      until,
      atBlock: atBlock && ((block, when) => atBlock(block, when, work)),
      atExercise: atExercise && ((block) => atExercise(block, environment)),
    });
    return await use(join(work, page.frontMatter.project ?? ""));
  });
}

/**
 * Makes a folder in which the edits and commands of a page, and of the pages that it continues, can run
 * without a cluster. Passes it to `use`, and removes it afterwards.
 */
export async function withReplays<T>(
  page: Page,
  { root, signal }: Pick<StageOptions, "root" | "signal">,
  use: (work: string, options: ReplayOptions, environment: RunEnvironment) => Promise<T>,
): Promise<T> {
  const { project = "" } = page.frontMatter;
  const scaffolds = page.frontMatter.requires.includes("operator-sdk");
  const charts = page.frontMatter.requires.includes("helm");
  const environment = createEnvironment({
    tools: new Map(charts ? [["helm", (await findTool("helm")).path]] : []),
    // Only programs that write files: no cluster, no containers.
    requires: [...(scaffolds ? ["operator-sdk", "pnpm", "make"] : []), ...(charts ? ["helm"] : [])],
    project,
    variables: {
      TUTORIAL: dirname(resolve(page.path)),
      ...(scaffolds && (await installFromStore(root, signal))),
    },
  });
  try {
    return await use(environment.work, { env: environment.env, ...(signal && { signal }) }, environment);
  } finally {
    rmSync(environment.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
