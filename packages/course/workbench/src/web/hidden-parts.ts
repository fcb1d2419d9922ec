import { coveredParts } from "../page/covered-parts.ts";
import type { Part } from "../page/page-view.ts";

/**
 * Reports for each part whether an unanswered question hides it.
 *
 * @param answers the learner's answers, by the question's id
 */
export function hiddenParts(parts: readonly Part[], answers: Readonly<Record<string, string>>): boolean[] {
  const hidden = new Set(
    parts.flatMap((part, i) => {
      if (part.kind !== "text" || part.question === undefined || answers[part.question] !== undefined)
        return [];
      const { commands, text } = coveredParts(parts, i);
      return [...commands, ...(text ? [text] : [])].map((_, below) => i + 1 + below);
    }),
  );
  return parts.map((_, i) => hidden.has(i));
}
