import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Page, runBash, type Step } from "@operator-path/walkthrough";
import { objectCommands, readerOf } from "../commands/page-objects.ts";
import { projectPath } from "./place.ts";
import { stepsOf } from "./steps.ts";

/** A command of the page whose objects the cluster does not have. */
export interface MissingObjects {
  readonly step: Step;
  /** What it applies: its files, or the first object of its heredoc. */
  readonly applies: string;
  /** Line of the page. */
  readonly line: number;
  /** Whether it is the first such command of the page. */
  readonly isFirst: boolean;
}

export interface MissingObjectsOptions {
  /** Absolute path of the learner's project. */
  readonly project: string;
  /** The environment of kubectl. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Line of the page at which the objects must still exist. Default: the line above which the commands are. */
  readonly until?: number;
}

/** Milliseconds for one command. */
const limit = 10_000;

/**
 * Returns the first command of the page above a line whose objects should still exist, and do not. Undefined: the
 * cluster has all of them, or kubectl does not say.
 */
export async function missingObjects(
  page: Page,
  line: number,
  { project, env, signal, until = line }: MissingObjectsOptions,
): Promise<MissingObjects | undefined> {
  const tutorial = dirname(page.path);
  const variables = { ...env, TUTORIAL: tutorial };
  let isFirst = true;
  const objects = objectCommands(page, line, { read: readerOf(project), tutorial, until });
  for (const { get, step, applies, line: at } of objects) {
    if (get === undefined) continue;
    const { output } = await runBash(get, { cwd: project, env: variables, signal, timeout: limit });
    if (/\(NotFound\)|no matches for kind/.test(output)) return { step, applies, line: at, isFirst };
    isFirst = false;
  }
  return undefined;
}

/** Returns `Step 4, "Apply it", applies map.yaml, which the cluster does not have`. */
export function formatMissing(page: Page, { step, applies }: MissingObjects): string {
  return `${formatStep(page, step)}, applies ${applies}, which the cluster does not have`;
}

/**
 * Returns a sentence for each file that a step above a line writes, that the learner does not have, and that a
 * text names: the command that failed, and its output. Others may be deleted by now.
 */
export function missingFiles(page: Page, line: number, project: string, text: string): string[] {
  const found = page.steps.flatMap((step) =>
    step.blocks.flatMap((block) =>
      (block.kind === "write" || block.kind === "exercise") && block.line < line
        ? { step, file: projectPath(block.file) }
        : [],
    ),
  );
  const missing = new Map(
    found
      .filter(({ file }) => needsFile(text, file) && !existsSync(join(project, file)))
      .map(({ step, file }) => [file, step]),
  );
  return [...missing].map(
    ([file, step]) => `${formatStep(page, step)}, writes ${file}, but you do not have it`,
  );
}

/** pnpm needs a package.json, and does not name it. */
function needsFile(text: string, file: string): boolean {
  return text.includes(basename(file)) || (file === "package.json" && text.startsWith("pnpm "));
}

function formatStep(page: Page, step: Step): string {
  const { number } = stepsOf([page]).find((one) => one.step === step) ?? {};
  return `Step ${number}, "${step.title}"`;
}
