import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { diffLines } from "diff";
import { listFolder } from "../files/tree.ts";
import type { Block, Page } from "../page/page.ts";
import { hasReplays, pageAfter, type ReplayOptions, writeRest, writeStart } from "../project/page-chain.ts";
import type { Difference, DiffLine } from "../report/report.ts";
import type { RunEnvironment } from "./environment.ts";
import { PageFailure } from "./failure.ts";

export interface ClosureDifference {
  readonly file: string;
  readonly problem: "missing" | "extra" | "different";
  readonly diff: readonly DiffLine[];
}

/**
 * Compares the learner's folder with the committed project, byte for byte. Ignores node_modules, the
 * lockfile, the file that names tarballs, and the project's README. The project may have tests (`*.test.ts`)
 * that the page does not write.
 */
export function checkClosure(learner: string, committed: string): ClosureDifference[] {
  const counts = (path: string): boolean => !path.endsWith("/") && path !== "README.md";
  const ours = new Set(listFolder(learner).filter(counts));
  const theirs = new Set(listFolder(committed).filter(counts));
  const differences: ClosureDifference[] = [];
  for (const file of [...new Set([...ours, ...theirs])].sort()) {
    if (!ours.has(file)) {
      if (!/\.test\.[cm]?ts$/.test(file)) differences.push({ file, problem: "missing", diff: [] });
    } else if (!theirs.has(file)) differences.push({ file, problem: "extra", diff: [] });
    else {
      const [page, project] = [readFileSync(join(learner, file)), readFileSync(join(committed, file))];
      if (!page.equals(project))
        differences.push({ file, problem: "different", diff: lineDiff(page.toString(), project.toString()) });
    }
  }
  return differences;
}

function lineDiff(page: string, project: string): DiffLine[] {
  return diffLines(page, project, { context: 2 } as object).flatMap((part): DiffLine[] => {
    const lines = part.value.replace(/\n$/, "").split("\n");
    if (part.added || part.removed) return lines.map((text) => ({ kind: part.added ? "+" : "-", text }));
    return lines.length <= 4
      ? lines.map((text) => ({ kind: " ", text }))
      : [...lines.slice(0, 2), "…", ...lines.slice(-2)].map((text) => ({ kind: " ", text }));
  });
}

/**
 * Checks the project that a page leaves. The last page must leave the committed project. If this page or the
 * next has `replay` blocks, the page must leave what the next page starts with. Otherwise, applying the edits
 * of the later pages must give the committed project.
 */
export async function closureDifference(
  page: Page,
  environment: RunEnvironment,
  options: ReplayOptions,
): Promise<Difference | undefined> {
  const { project } = page.frontMatter;
  if (project === undefined) return undefined;
  const committed = join(dirname(resolve(page.path)), project);
  const last = { page: page.path, line: 1, step: page.steps.at(-1)?.slug ?? "", diff: [], context: [] };
  if (!existsSync(environment.learner))
    return { ...last, message: `the page never makes the folder ${project}` };
  const next = pageAfter(page);
  const replays = next !== undefined && (hasReplays(page) || hasReplays(next));
  if (!replays && !existsSync(committed)) return undefined;
  const work = join(environment.folder, "complete");
  try {
    if (next === undefined) return compareFolders(page, environment.learner, committed, theProject);
    if (replays) {
      mkdirSync(work);
      await writeStart(next, work, options);
      return compareFolders(page, environment.learner, join(work, project), startOf(next));
    }
    await writeRest(page, environment.learner, work, options);
    return compareFolders(page, join(work, project), committed, theProject);
  } catch (error) {
    if (!(error instanceof PageFailure)) throw error;
    return {
      ...last,
      message: `the next page does not apply: ${error.message}`,
      diff: error.diff,
    };
  }
}

/** The other side of a comparison, in the words of a report. */
interface Counterpart {
  readonly summary: string;
  readonly name: string;
  readonly sign: string;
}
const theProject: Counterpart = {
  summary: "the page's edits do not produce the committed project",
  name: "the committed project",
  sign: "project",
};
const startOf = (next: Page): Counterpart => ({
  summary: `${basename(next.path)} starts from a different folder than the page leaves: are all blocks that write its files marked \`replay\`?`,
  name: basename(next.path),
  sign: "its start",
});

function compareFolders(
  page: Page,
  learner: string,
  wanted: string,
  counterpart: Counterpart,
): Difference | undefined {
  const [first, ...others] = checkClosure(learner, wanted);
  if (!first) return undefined;
  const { summary, name, sign } = counterpart;
  const problem = {
    missing: `${name} has ${first.file}, which the page never writes`,
    extra: `the page leaves ${first.file}, which ${name} does not have`,
    different: `${first.file} differs from what ${name} has (- page, + ${sign})`,
  }[first.problem];
  const also = others.map(({ file, problem: what }) => `${what}: ${file}`);
  const written = page.steps
    .flatMap((step) =>
      step.blocks.flatMap((block) =>
        isFileOf(block, `${page.frontMatter.project}/${first.file}`) ? [{ step, block }] : [],
      ),
    )
    .at(-1);
  return {
    page: page.path,
    line: written?.block.line ?? 1,
    step: written?.step.slug ?? page.steps.at(-1)?.slug ?? "",
    message: `${summary}: ${problem}`,
    diff: first.diff,
    context: also.length === 0 ? [] : [{ title: "also", lines: also }],
  };
}

function isFileOf(block: Block, file: string): boolean {
  return block.kind !== "console" && block.file.split(sep).join("/") === file;
}
