import { structuredPatch } from "diff";
import { applyEdit, EditError } from "../files/edit.ts";

/**
 * Returns the content of a `diff` fence that turns one text into another, with as much context as each hunk
 * needs to fit in one place. Undefined if no diff does, for example if nothing differs.
 *
 * @param former the fence's content so far. It stays if it still applies, and otherwise gives the lines of context
 */
export function makeDiff(before: string, after: string, former = ""): string | undefined {
  if (before === after) return undefined;
  if (applies(former, before, after)) return former;
  const least = Math.max(
    1,
    former.split("\n").findIndex((line) => /^[+-]/.test(line)),
  );
  for (let context = least; context <= before.split("\n").length; context++) {
    const { hunks } = structuredPatch("", "", before, after, "", "", { context });
    const diff = hunks
      .map(({ lines }) => lines.filter((line) => !line.startsWith("\\")).join("\n"))
      .join("\n@@\n");
    if (applies(`${diff}\n`, before, after)) return `${diff}\n`;
  }
  return undefined;
}

function applies(diff: string, before: string, after: string): boolean {
  try {
    return applyEdit(before, diff) === after;
  } catch (error) {
    if (error instanceof EditError) return false;
    throw error;
  }
}
