import { UserError } from "@operator-path/cluster/user-error";
import { detectSystem, installPrograms, thisMachine } from "@operator-path/doctor";
import { missingByHand, missingPrograms, type Page, pageName } from "@operator-path/walkthrough";
import type { PageFile } from "./pages.ts";
import { readPage } from "./read-page.ts";

/**
 * Looks for the programs that pages need on this machine.
 *
 * @returns lines for a terminal: the missing programs, their pages, and how to install them. Undefined if
 *   none is missing
 * @throws UserError with the same lines if none of the pages can run
 */
export async function whatIsMissing(
  pages: readonly Page[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const lacking = pages.flatMap((page) => {
    const missing = missingPrograms(page, env);
    return missing.length === 0 ? [] : [{ page, missing }];
  });
  const names = [...new Set(lacking.flatMap(({ missing }) => missing))];
  if (names.length === 0) return undefined;
  const { commands, words = [] } = installPrograms(await detectSystem(thisMachine(env)), names);
  const noneRuns = lacking.length === pages.length;
  const text = [
    `this machine has no ${names.join(" and no ")}. Install what is missing:`,
    ...[...commands, ...words].map((line) => `  ${line}`),
    noneRuns ? nothingRan(lacking.length) : "Until then these pages cannot be run:",
    ...lacking.map(({ page, missing }) => `  ${pageName(page.path)}: ${missing.join(", ")}`),
  ].join("\n");
  if (noneRuns) throw new UserError(text);
  return text;
}

function nothingRan(pages: number): string {
  return `Nothing was run, since ${pages === 1 ? "this page needs" : "all of these pages need"} it:`;
}

/** Reads pages, and returns the same for them. */
export async function whatIsMissingFor(pages: readonly PageFile[]): Promise<string | undefined> {
  return whatIsMissing(pages.map(readPage));
}

/**
 * Returns which programs this machine lacks for a learner who follows the page by hand, and how to install them.
 * Undefined if it has all.
 */
export async function programsToInstall(
  page: Page,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const names = missingByHand(page, env);
  if (names.length === 0) return undefined;
  const { commands, words = [] } = installPrograms(await detectSystem(thisMachine(env)), names);
  const lines = [...commands, ...words].map((line) => `  ${line}`);
  const optional = names.includes("patch") ? ["Without patch, you make the page's diffs by hand."] : [];
  return [
    `this page uses ${names.join(" and ")}, which this machine lacks. To install:`,
    ...[...lines, ...optional],
  ].join("\n");
}
