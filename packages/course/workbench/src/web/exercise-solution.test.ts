import { expect, test } from "vitest";
import type { FilePart, FoldPart } from "../page/page-view.ts";
import { showsSolution, solvedBy } from "./exercise-solution.ts";

const exercise = (id: string): FilePart => ({
  ...{ kind: "file", action: "exercise", id, hash: "", file: "a.ts", html: "", tests: [] },
});
const fold = (summary: string): FoldPart => ({ kind: "fold", summary, parts: [] });

test("gives a solution to the exercise above it", () => {
  const [one, two, three] = [exercise("1"), exercise("2"), exercise("3")];
  const parts = [one, fold("Hint"), fold("Solution"), two, fold("In Go"), three, fold("Solution")];
  expect(parts.map((_, at) => solvedBy(parts, at)?.id)).toEqual([
    ...[undefined, undefined, "1", undefined, undefined, undefined, "3"],
  ]);
  expect([one, two, three].map((part) => showsSolution(parts, part))).toEqual([true, false, true]);
});
