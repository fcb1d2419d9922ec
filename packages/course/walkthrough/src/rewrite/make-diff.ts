import { structuredPatch } from "diff";
import { applyEdit, EditError, type PlacedHunk, placeHunks, rangesOf } from "../files/edit.ts";

/**
 * Returns the content of a `diff` fence that turns one text into another, so that `patch -p1` and `git apply`
 * take it. Each hunk has as much context as it needs to fit in one place. Undefined if no diff does, for
 * example if nothing differs.
 *
 * @param path of the file, relative to the project
 * @param former the fence's content so far. Its lines stay if they still apply. Otherwise it gives the number
 *   of lines of context
 */
export function makeDiff(path: string, before: string, after: string, former = ""): string | undefined {
  if (before === after) return undefined;
  if (applies(former, before, after)) return completeDiff(path, before, former);
  const body = former.split("\n").filter((line) => !/^(?:@@|---|\+\+\+)/.test(line));
  const least = Math.max(
    1,
    body.findIndex((line) => /^[+-]/.test(line)),
  );
  for (let context = least; context <= before.split("\n").length; context++) {
    const { hunks } = structuredPatch("", "", before, after, "", "", { context });
    const diff = hunks
      .map(({ lines }) => lines.filter((line) => !line.startsWith("\\")).join("\n"))
      .join("\n@@\n");
    if (applies(`${diff}\n`, before, after)) return completeDiff(path, before, `${diff}\n`);
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

/**
 * Returns a diff with the headers that `patch -p1` and `git apply` need. Both take a hunk with less context
 * below than above for the end of the file, and the reverse for its begin. So each hunk gets as many lines of
 * context below as above, and at least one.
 */
function completeDiff(path: string, before: string, diff: string): string {
  const lines = before.replace(/\n$/, "").split("\n");
  let hunks = placeHunks(before, diff).map((hunk) => withContext(hunk, lines));
  for (;;) {
    const merged = mergeTouching(hunks).map((hunk) => withContext(hunk, lines));
    if (merged.length === hunks.length) break;
    hunks = merged;
  }
  let shift = 0;
  const parts = hunks.map(({ lines: body, at }) => {
    const header = rangesOf(body, at, at + shift);
    shift += body.filter((line) => line[0] === "+").length - body.filter((line) => line[0] === "-").length;
    return [header, ...body].join("\n");
  });
  return `--- a/${path}\n+++ b/${path}\n${parts.join("\n")}\n`;
}

function withContext({ lines, at }: PlacedHunk, file: readonly string[]): PlacedHunk {
  const above = lines.findIndex((line) => line[0] !== " ");
  const below = lines.length - 1 - lines.findLastIndex((line) => line[0] !== " ");
  const wanted = Math.max(above, below, 1);
  const end = at + lines.filter((line) => line[0] !== "+").length;
  const start = Math.max(0, at - (wanted - above));
  const context = (from: number, to: number) => file.slice(from, to).map((line) => ` ${line}`);
  return { at: start, lines: [...context(start, at), ...lines, ...context(end, end + wanted - below)] };
}

/** Joins hunks whose context touches. */
function mergeTouching(hunks: readonly PlacedHunk[]): PlacedHunk[] {
  const merged: PlacedHunk[] = [];
  for (const hunk of hunks) {
    const last = merged.at(-1);
    const end = last ? last.at + last.lines.filter((line) => line[0] !== "+").length : -1;
    if (!last || end < hunk.at) merged.push(hunk);
    else merged.splice(-1, 1, { at: last.at, lines: joined(last.lines, hunk.lines, end - hunk.at) });
  }
  return merged;
}

/** Leaves out the lines that both hunks have, which are context in at least one of them. */
function joined(first: readonly string[], second: readonly string[], shared: number): string[] {
  const below = first.length - 1 - first.findLastIndex((line) => line[0] !== " ");
  const fromFirst = Math.min(below, shared);
  return [...first.slice(0, first.length - fromFirst), ...second.slice(shared - fromFirst)];
}
