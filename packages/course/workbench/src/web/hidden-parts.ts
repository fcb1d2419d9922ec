import type { Part } from "../page/page-view.ts";

/**
 * Reports for each part whether an unanswered question hides it: the results of all commands up to the next text, and
 * that text up to the next heading or block, because it often tells the answer.
 *
 * @param answers the learner's answers, by the question's id
 */
export function hiddenParts(parts: readonly Part[], answers: Readonly<Record<string, string>>): boolean[] {
  let isAsked = false;
  let isTold = false;
  return parts.map((part) => {
    if (part.kind === "commands") {
      isTold = isAsked;
      return isAsked;
    }
    const hidden = part.kind === "text" && isTold && !isHeading(part.html);
    isTold = false;
    isAsked = part.kind === "text" && part.question !== undefined && answers[part.question] === undefined;
    return hidden;
  });
}

function isHeading(html: string): boolean {
  return /^\s*<h\d/.test(html);
}
