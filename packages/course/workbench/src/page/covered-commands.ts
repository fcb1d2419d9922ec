import type { CommandsPart, Part } from "./page-view.ts";

/**
 * Returns the commands whose results a question asks the learner to predict: all that are directly below it.
 *
 * @param at index of the text with the question
 */
export function coveredCommands(parts: readonly Part[], at: number): CommandsPart[] {
  const below = parts.slice(at + 1);
  const end = below.findIndex(({ kind }) => kind !== "commands");
  return below.slice(0, end === -1 ? undefined : end).filter((part) => part.kind === "commands");
}
