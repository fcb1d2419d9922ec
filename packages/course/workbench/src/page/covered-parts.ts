import type { CommandsPart, Part, TextPart } from "./page-view.ts";

/** What a question of the page asks to predict. */
export interface CoveredParts {
  /** The blocks of commands whose results it asks for. */
  readonly commands: readonly CommandsPart[];
  /** The text that often tells the answer. Undefined: a heading or another block follows the commands. */
  readonly text: TextPart | undefined;
}

/**
 * Returns what the question of a text covers: all commands directly below it, and the text below them unless it
 * begins with a heading.
 *
 * @param at index of the text with the question
 */
export function coveredParts(parts: readonly Part[], at: number): CoveredParts {
  const below = parts.slice(at + 1);
  const end = below.findIndex(({ kind }) => kind !== "commands");
  const commands = below.slice(0, end === -1 ? undefined : end).filter((part) => part.kind === "commands");
  const next = end === -1 ? undefined : below[end];
  const tells = commands.length > 0 && next?.kind === "text" && !/^\s*<h\d/.test(next.html);
  return { commands, text: tells ? next : undefined };
}
