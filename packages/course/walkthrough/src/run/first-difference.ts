import { existsSync, mkdirSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { createClient } from "@operator-path/client";
import type { Block, Page, Step } from "../page/page.ts";
import type { Difference } from "../report/report.ts";
import { checkClosure } from "./closure.ts";
import { diagnoseCluster } from "./diagnose.ts";
import { PageFailure } from "./failure.ts";
import { hasReplays, pageAfter, writeRest, writeStart } from "./page-chain.ts";
import type { ReplayOptions } from "./replay.ts";
import type { Run } from "./run.ts";

export async function contextOf(run: Run): Promise<Difference["context"]> {
  const context: { title: string; lines: string[] }[] = [];
  if (run.cluster) {
    const client = createClient(run.cluster.kubeConfig, { onWarning: () => {} });
    context.push(...(await diagnoseCluster(client, run.cluster.namespace)));
    await client.close();
  }
  for (const { terminal, command } of run.terminals.values()) {
    if (terminal.running() === undefined) continue;
    const lines = terminal
      .lines()
      .filter((line) => line.trim() !== "")
      .slice(-10);
    context.push({ title: `terminal ${terminal.name || "main"}, which runs \`${command}\``, lines });
  }
  return context;
}

/** Of the first failure; the others are told below it. */
export function toDifference(
  page: Page,
  step: Step | undefined,
  [failure, ...others]: readonly PageFailure[],
  context: Difference["context"],
): Difference {
  const { line = 1, message = "", diff = [], command } = failure ?? {};
  const difference = {
    page: page.path,
    line,
    step: step?.slug ?? "",
    message,
    diff,
    context,
    ...(command !== undefined && { command }),
  };
  return step === undefined ? difference : alsoFailed(difference, page, step, others);
}

/** The same difference, and what failed after it: why Clean up has left something is not to be lost. */
export function alsoFailed(
  difference: Difference,
  page: Page,
  step: Step,
  failures: readonly PageFailure[],
): Difference {
  if (failures.length === 0) return difference;
  const lines = failures.map(({ line, message, command }) => {
    const what = command === undefined ? "" : `  \`${command.split("\n")[0]}\``;
    return `${page.path}:${line}  ${message}${what}`;
  });
  const context = [...difference.context, { title: `step ${step.slug} failed too`, lines }];
  return { ...difference, context };
}

/**
 * How the learner's folder differs from what it has to be: the committed project, with the edits of pages that go on from
 * this one. Where these need commands, it is what the next of them begins with, and the last is compared with the committed project.
 */
export async function closureDifference(
  page: Page,
  run: Run,
  o: ReplayOptions,
): Promise<Difference | undefined> {
  const { project } = page.frontMatter;
  if (project === undefined) return undefined;
  const committed = join(dirname(resolve(page.path)), project);
  const last = { page: page.path, line: 1, step: page.steps.at(-1)?.slug ?? "", diff: [], context: [] };
  if (!existsSync(run.environment.learner))
    return { ...last, message: `the page never makes the folder ${project}` };
  const next = pageAfter(page);
  const replays = next !== undefined && (hasReplays(page) || hasReplays(next));
  if (!replays && !existsSync(committed)) return undefined;
  const work = join(run.environment.folder, "complete");
  try {
    if (next === undefined) return compareFolders(page, run.environment.learner, committed, theProject);
    if (replays) {
      mkdirSync(work);
      await writeStart(next, work, o);
      return compareFolders(page, run.environment.learner, join(work, project), startOf(next));
    }
    await writeRest(page, run.environment.learner, work, o);
    return compareFolders(page, join(work, project), committed, theProject);
  } catch (error) {
    if (!(error instanceof PageFailure)) throw error;
    return {
      ...last,
      message: `the page that goes on from here does not fit: ${error.message}`,
      diff: error.diff,
    };
  }
}

/** What a folder is compared with, in the words of a report. */
interface Counterpart {
  readonly summary: string;
  readonly name: string;
  readonly sign: string;
}
const theProject: Counterpart = {
  summary: "start plus edits is not the committed project",
  name: "the committed project",
  sign: "project",
};
const startOf = (next: Page): Counterpart => ({
  summary: `${basename(next.path)} begins with another folder than the page leaves: are all blocks that write its files marked \`replay\`?`,
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
    different: `${first.file} is not what ${name} has (- page, + ${sign})`,
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
