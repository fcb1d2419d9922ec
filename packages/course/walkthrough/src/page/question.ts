import type MarkdownIt from "markdown-it";
import { PageError } from "./page-error.ts";

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

/** At the end of a paragraph that asks the reader to predict what the commands below it show. */
export const questionMark = "<!-- question -->";

/** At the end of a paragraph or list item that only a reader in a terminal needs. */
export const terminalMark = "<!-- terminal -->";

/**
 * Throws PageError for a question without an answer: the commands must be directly below it, and show something, or a
 * text must follow them.
 *
 * @param offset lines of the page above the tokens
 */
export function checkQuestions(tokens: readonly Token[], path: string, offset: number): void {
  for (const [at, token] of tokens.entries()) {
    // A line that begins with the mark is a block of its own.
    const isOutside = token.type === "html_block" && token.content.includes(questionMark);
    if (!isOutside && !marksOf(token).includes(questionMark)) continue;
    const line = offset + (token.map?.[1] ?? 0);
    const isAtEnd =
      token.children?.at(-1)?.content === questionMark && tokens[at - 1]?.type === "paragraph_open";
    if (!isAtEnd || token.level !== 1)
      throw new PageError(
        path,
        line,
        `${questionMark} goes at the end of a paragraph's last line, outside of lists and quotations`,
      );
    if (!isAnswered(tokens.slice(at + 2)))
      throw new PageError(
        path,
        line,
        "this question has no answer: directly below it, put a `console` fence that shows one, or that a text follows",
      );
  }
}

function isAnswered(below: readonly Token[]): boolean {
  const rest = withoutTerminalOnly(below);
  const end = rest.findIndex(({ type, info }) => type !== "fence" || info.split(" ")[0] !== "console");
  const fences = rest.slice(0, end === -1 ? undefined : end);
  const shows = fences.some(({ content }) =>
    content.split("\n").some((line) => line !== "" && !/^(?:\$ |\^)/.test(line)),
  );
  return fences.length > 0 && (shows || rest[end]?.type === "paragraph_open");
}

/** Returns the tokens without paragraphs for terminals, which may stand between a question and its answer. */
function withoutTerminalOnly(tokens: readonly Token[]): Token[] {
  const isMarked = tokens.map((token) => marksOf(token).includes(terminalMark));
  return tokens.filter((_, i) => ![i - 1, i, i + 1].some((near) => isMarked[near]));
}

function marksOf(token: Token): string[] {
  return token.type === "inline" ? (token.children ?? []).map(({ content }) => content) : [];
}
