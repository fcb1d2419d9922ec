import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Cluster } from "@operator-path/cluster";
import { findMissing } from "../exercise/files.ts";
import { checkLinks } from "../page/links.ts";
import { type Block, blocksOf, type Page } from "../page/page.ts";
import type { Difference } from "../report/report.ts";
import { imageFolder } from "./bring-images.ts";
import { toDifference } from "./difference.ts";
import { PageFailure } from "./failure.ts";
import type { Run } from "./prepare-run.ts";
import { findOnPath } from "./programs.ts";

/** Programs that come with the repository, or from npm. */
const brought: ReadonlySet<string> = new Set(["helm", "kubectl", "operator-sdk", "pnpm"]);

/** Returns the programs that a page needs and the PATH lacks. Every page needs bash, for its terminals. */
export function missingPrograms(
  { frontMatter }: Page,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const needed = ["bash", ...frontMatter.requires.filter((name) => !brought.has(name))];
  return needed.filter((name) => findOnPath(name, env.PATH ?? "") === undefined);
}

/**
 * Returns the programs that a learner who follows the page by hand uses, and the PATH lacks: those that it needs,
 * and `patch` for its diffs, which a run applies itself.
 */
export function missingByHand(page: Page, env: Readonly<Record<string, string | undefined>>): string[] {
  const missing = missingPrograms(page, env);
  const hasDiff = blocksOf(page).some(({ kind }) => kind === "edit");
  return hasDiff && findOnPath("patch", env.PATH ?? "") === undefined ? [...missing, "patch"] : missing;
}

/** Returns why this machine, or the given cluster, cannot run the page. Undefined: it can. */
export function reasonToSkip(page: Page, cluster: Cluster | undefined): string | undefined {
  const missing = missingPrograms(page, process.env);
  if (missing.length > 0) return `it needs ${missing.join(" and ")}, which this machine lacks`;
  return cluster?.namespace === undefined ? undefined : reasonAgainstCluster(page, cluster);
}

/** Only for an existing cluster, where the page runs in a namespace of its own. */
function reasonAgainstCluster(page: Page, cluster: Cluster): string | undefined {
  if (!page.frontMatter.providers.includes("existing"))
    return "the page is not for existing clusters (its front matter must list the provider existing, and `creates`)";
  const blocks = page.steps.flatMap((step) => step.blocks);
  const named = blocks.find(namesDefault);
  if (named)
    return `line ${named.line}: a file names the namespace default, but the page runs in another one here`;
  const image = ownImage(page, blocks);
  if (image !== undefined && cluster.images === undefined)
    return `it needs ${image}, but that cluster cannot get images from this machine`;
  return undefined;
}

function namesDefault(block: Block): boolean {
  return block.kind !== "console" && /^\s*[+ ]?\s*namespace: default\s*$/m.test(block.content);
}

/** An image that only this machine can build. */
function ownImage(page: Page, blocks: readonly Block[]): string | undefined {
  const tutorial = dirname(resolve(page.path));
  const image = page.frontMatter.images.find((one) => existsSync(`${imageFolder(tutorial, one)}/Dockerfile`));
  if (image !== undefined) return `the image ${image}`;
  const builds = blocks
    .flatMap((block) => (block.kind === "console" ? block.entries : []))
    .find(({ kind, text }) => kind === "command" && /\bdocker-(?:build|push)\b/.test(text));
  return builds && `the image that \`${builds.text.split("\n")[0]}\` makes`;
}

/**
 * Returns the first difference that is known before any step runs: an exercise without tests or solution, a
 * broken link, or objects in the cluster that look like the page's own.
 */
export function checkBeforeSteps(run: Run): Difference | undefined {
  const { page } = run;
  const failure = checkExercises(page) ?? checkLinks(page) ?? checkTaken(run);
  if (!failure) return undefined;
  const step = page.steps.findLast(({ line }) => line <= failure.line) ?? page.steps[0];
  return toDifference(page, step, [failure], []);
}

function checkExercises(page: Page): PageFailure | undefined {
  const tutorial = dirname(resolve(page.path));
  for (const block of page.steps.flatMap(({ blocks }) => blocks)) {
    const missing = block.kind === "exercise" ? findMissing(block, tutorial) : undefined;
    if (missing) return missing;
  }
  return undefined;
}

/**
 * Returns the objects of other people that the run would take for the page's own. Empty for a cluster of the
 * run.
 */
export function takenObjects({ ownsCluster, snapshot }: Run): readonly string[] {
  return ownsCluster ? [] : (snapshot.cluster?.taken ?? []);
}

/** A page must not change other people's objects, and its Clean up must not delete them. */
function checkTaken(run: Run): PageFailure | undefined {
  const taken = takenObjects(run);
  if (taken.length === 0) return undefined;
  const some = taken.length > 8 ? [...taken.slice(0, 8), `${taken.length - 8} more`] : taken;
  return new PageFailure(
    1,
    `the cluster already has objects that look like the page's own: ${some.join(", ")}. The run changed nothing. Delete them, or use another cluster`,
  );
}
