import { existsSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { createClient } from "@operator-path/client";
import type { Block, Page, Step } from "../page/page.ts";
import type { Difference } from "../report/report.ts";
import { checkClosure } from "./closure.ts";
import { diagnoseCluster } from "./diagnose.ts";
import type { PageFailure } from "./failure.ts";
import type { Run } from "./run-page.ts";

export async function contextOf(run: Run): Promise<Difference["context"]> {
  const context: { title: string; lines: string[] }[] = [];
  if (run.cluster) {
    const client = createClient(run.cluster.kubeConfig);
    context.push(...(await diagnoseCluster(client)));
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

export function closureDifference(page: Page, run: Run): Difference | undefined {
  const { project } = page.frontMatter;
  if (project === undefined) return undefined;
  const committed = join(dirname(resolve(page.path)), project);
  if (!existsSync(committed)) return undefined;
  const [first, ...others] = checkClosure(run.environment.learner, committed);
  if (!first) return undefined;
  const problem = {
    missing: `the committed project has ${first.file}, which the page never writes`,
    extra: `the page leaves ${first.file}, which the committed project does not have`,
    different: `${first.file} is not what the committed project has (- page, + project)`,
  }[first.problem];
  const context =
    others.length === 0
      ? []
      : [{ title: "also", lines: others.map(({ file, problem: what }) => `${what}: ${file}`) }];
  const written = page.steps
    .flatMap((step) =>
      step.blocks.flatMap((block) => (isFileOf(block, `${project}/${first.file}`) ? [{ step, block }] : [])),
    )
    .at(-1);
  return {
    page: page.path,
    line: written?.block.line ?? 1,
    step: written?.step.slug ?? page.steps.at(-1)?.slug ?? "",
    message: `start plus edits is not the committed project: ${problem}`,
    diff: first.diff,
    context,
  };
}

function isFileOf(block: Block, file: string): boolean {
  return block.kind !== "console" && block.file.split(sep).join("/") === file;
}
