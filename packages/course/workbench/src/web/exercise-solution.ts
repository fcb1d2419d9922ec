import type { FilePart, Part } from "../page/page-view.ts";

/** Returns the exercise whose solution a part shows: the last one above it. Undefined if the part shows none. */
export function solvedBy(parts: readonly Part[], at: number): FilePart | undefined {
  const part = parts[at];
  if (part?.kind !== "fold" || part.summary !== "Solution") return undefined;
  return parts.slice(0, at).findLast(isExercise);
}

function isExercise(part: Part): part is FilePart {
  return part.kind === "file" && part.action === "exercise";
}

/** Reports whether the page shows the solution of an exercise in a fold. */
export function showsSolution(parts: readonly Part[], exercise: Part): boolean {
  return parts.some((_, at) => solvedBy(parts, at) === exercise);
}
