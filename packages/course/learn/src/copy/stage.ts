import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { listFolder, type Page, pageAfter, withStage } from "@operator-path/walkthrough";
import { listPages, type PageFile } from "../pages.ts";
import { readPage } from "../read-page.ts";
import type { Files } from "./rename.ts";

/** A tutorial's project after a page, or after one of its steps. */
export interface Stage {
  /** Name of the tutorial's folder. */
  readonly tutorial: string;
  readonly page: Page;
  /** Slug of the step. Undefined: the whole page, and the pages that go on from it in the same project. */
  readonly step?: string;
  /** The committed project, relative to the root. */
  readonly project: string;
}

/**
 * Returns the stage of a name: `02-memcached-operator`, `01-podbuggertool/1` or
 * `02-memcached-operator/2@size`. Without a page, it is the result of the last page, or of the one page that
 * has the step.
 *
 * @throws UserError for an unknown name, with the known ones
 */
export async function findStage(name: string, root: string): Promise<Stage> {
  const [, place = "", step] = /^([^@]*)(?:@(.*))?$/.exec(name) ?? [];
  const [tutorial = "", number] = place
    .replace(/^(\.\/)?tutorials\//, "")
    .replace(/\/+$/, "")
    .split("/");
  const all = (await listPages(root)).filter((page) => page.name.includes("/"));
  const ofTutorial = all.filter((page) => page.name.startsWith(`${tutorial}/`));
  if (ofTutorial.length === 0) {
    const names = [...new Set(all.map((page) => page.name.split("/")[0]))].join(", ");
    throw new UserError(`there is no tutorial ${JSON.stringify(tutorial)} to copy: there are ${names}`);
  }
  const chosen =
    number === undefined ? ofTutorial : ofTutorial.filter((page) => page.name === `${tutorial}/${number}`);
  if (chosen.length === 0) {
    const names = ofTutorial.map((page) => page.name).join(", ");
    throw new UserError(`there is no page ${place}: there are ${names}`);
  }
  const pages = chosen.map((file) => ({ file, page: readPage(file) }));
  const found = step === undefined ? pages.at(-1) : pageOfStep(pages, step);
  const project = found?.page.frontMatter.project;
  if (!found || project === undefined) throw new UserError(`${place} builds no project that could be copied`);
  return {
    tutorial,
    page: found.page,
    project: relative(root, join(dirname(found.file.path), project)),
    ...(step !== undefined && { step: slugOf(found.page, step) }),
  };
}

function pageOfStep(pages: readonly { file: PageFile; page: Page }[], step: string) {
  const having = pages.filter(({ page }) => slugOf(page, step) !== undefined);
  if (having.length > 1) {
    const names = having.map(({ file }) => `${file.name}@${step}`).join(" or ");
    throw new UserError(`several pages have a step ${step}: choose ${names}`);
  }
  if (having.length === 0) {
    const names = pages.flatMap(({ file, page }) => page.steps.map(({ slug }) => `${file.name}@${slug}`));
    throw new UserError(`there is no step ${JSON.stringify(step)}: there are ${names.join(", ")}`);
  }
  return having[0];
}

function slugOf(page: Page, step: string): string | undefined {
  const slug = page.frontMatter.aliases[step] ?? step;
  return page.steps.find((one) => one.slug === slug)?.slug;
}

/**
 * Reads the files of a stage, without their modes: the files of the committed project that git tracks, or the
 * files that the pages wrote for an earlier stage.
 */
export async function readStage(stage: Stage, root: string, signal: AbortSignal): Promise<Files> {
  const committed = join(root, stage.project);
  if (stage.step === undefined && pageAfter(stage.page) === undefined)
    return readFiles(committed, trackedFiles(committed));
  return withStage(stage.page, { root, signal, ...(stage.step && { until: stage.step }) }, async (folder) => {
    const files = existsSync(folder) ? listFolder(folder).filter((path) => !path.endsWith("/")) : [];
    if (files.length === 0)
      throw new UserError(`${stage.page.path}: the project has no file yet at step ${stage.step}`);
    return readFiles(folder, files);
  });
}

function trackedFiles(folder: string): string[] {
  try {
    const output = execFileSync("git", ["ls-files", "-z"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const files = output
      .toString()
      .split("\0")
      .filter((path) => path !== "" && existsSync(join(folder, path)));
    if (files.length > 0) return files;
  } catch {
    // Without git or a checkout, list the folder without the files that git would ignore.
  }
  return listFolder(folder).filter((path) => !path.endsWith("/"));
}

function readFiles(folder: string, paths: readonly string[]): Files {
  return new Map(
    paths
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path, readFileSync(join(folder, path))]),
  );
}
