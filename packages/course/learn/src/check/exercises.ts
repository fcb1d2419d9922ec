import type { ExerciseBlock, ProjectHistory, ProjectState } from "@operator-path/walkthrough";
import { projectPath } from "./place.ts";
import type { FileDifference } from "./standing.ts";

export interface ExerciseAt {
  readonly state: ProjectState;
  readonly block: ExerciseBlock;
}

/** Returns the exercises that a learner has begun at a state. */
export function exercisesUpTo(history: ProjectHistory, reached: number): ExerciseAt[] {
  return history.states
    .slice(0, reached + 1)
    .flatMap((state) => (state.block.kind === "exercise" ? [{ state, block: state.block }] : []));
}

/** Returns the last of these exercises that a file is the solution of. */
export function exerciseOf(exercises: readonly ExerciseAt[], file: string): ExerciseAt | undefined {
  return exercises.findLast(({ block }) => projectPath(block.file) === file);
}

/** Reports whether the page changes an exercise's file afterwards. An experiment that it takes back does not count. */
export function isEditedAfter({ state }: ExerciseAt, { file, expected }: FileDifference): boolean {
  return state.files.get(file)?.text !== expected.text;
}
