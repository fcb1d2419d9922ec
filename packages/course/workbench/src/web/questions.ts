import type { ActionState } from "../action-state.ts";
import { coveredCommands } from "../page/covered-commands.ts";
import type { Part } from "../page/page-view.ts";

type Answers = Readonly<Record<string, string>>;
type Actions = Readonly<Record<string, ActionState>>;

/** The parts of a step or fold, up to its first unanswered question. */
export interface OpenParts {
  /** Those that are shown: up to the question and the commands that it asks about. */
  readonly parts: readonly Part[];
  /** How many of them, at the end, are these commands. They cannot run, and their results are hidden. */
  readonly covered: number;
  /** Whether more parts follow after the answer. */
  readonly hasMore: boolean;
}

/**
 * Returns what to show. The text after a question tells the answer, and so may anything below it.
 *
 * @param answers the learner's answers, by the question's id
 * @param actions their states, by key
 */
export function openParts(parts: readonly Part[], answers: Answers, actions: Actions): OpenParts {
  const at = findOpenQuestion(parts, answers, actions);
  if (at === -1) return { parts, covered: 0, hasMore: false };
  const covered = coveredCommands(parts, at).length;
  const end = at + 1 + covered;
  return { parts: parts.slice(0, end), covered, hasMore: end < parts.length };
}

/**
 * Returns the question that the learner thinks about now: the first without an answer, if the commands above it have
 * begun. The cluster already shows what the last of them does.
 *
 * @param parts of the step
 */
export function askedNow(parts: readonly Part[], answers: Answers, actions: Actions): string | undefined {
  const at = findOpenQuestion(parts, answers, actions);
  const question = parts[at];
  if (question?.kind !== "text") return undefined;
  const hasBegun = parts
    .slice(0, at)
    .every(
      (part) =>
        part.kind !== "commands" || part.entries.every((_, entry) => hasBegunEntry(part.id, entry, actions)),
    );
  return hasBegun ? question.question : undefined;
}

/**
 * Finds the first question without an answer. One whose commands the learner has typed in a terminal themselves hides
 * nothing more. What a running program prints comes without them.
 */
function findOpenQuestion(parts: readonly Part[], answers: Answers, actions: Actions): number {
  return parts.findIndex(
    (part, at) =>
      part.kind === "text" &&
      part.question !== undefined &&
      answers[part.question] === undefined &&
      !coveredCommands(parts, at).some(({ id, entries }) =>
        entries.some(({ kind }, entry) => kind !== "output" && hasBegunEntry(id, entry, actions)),
      ),
  );
}

/** Reports whether a command of the page runs, or has run. */
export function hasBegunEntry(id: string, entry: number, actions: Actions): boolean {
  return (actions[`${id}#${entry}`]?.status ?? "to do") !== "to do";
}
