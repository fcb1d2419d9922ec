import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diffLines } from "diff";
import { listFolder } from "../files/tree.ts";
import type { DiffLine } from "../report/report.ts";

export interface ClosureDifference {
  readonly file: string;
  readonly problem: "missing" | "extra" | "different";
  readonly diff: readonly DiffLine[];
}

/**
 * Compares the learner's folder with the committed project, byte for byte. Left out: node_modules, lockfile, the file
 * that names tarballs, and the project's README. Tests that the page does not write are the project's own
 * (`*.test.ts`): they may be there without being on the page.
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
