import { blocksOf, type ConsoleBlock, type Page } from "../page/page.ts";
import type { Prose } from "./prose.ts";

/** A terminal's number in a text. */
export interface Mention {
  readonly number: number;
  readonly at: number;
  readonly end: number;
}

/** Finds the terminals that a text mentions: `in terminal 2`, `Terminals 2 and 3 say`. */
export function terminalMentions({ words }: Pick<Prose, "words">): Mention[] {
  return [...words.matchAll(/\bterminals? (\d+)(?: and (\d+))?/gi)].flatMap((match) => {
    const first = match.index + match[0].search(/\d/);
    const [, one = "", two] = match;
    const mention = (text: string, at: number): Mention => ({
      number: Number(text),
      at,
      end: at + text.length,
    });
    if (two === undefined) return [mention(one, first)];
    return [mention(one, first), mention(two, match.index + match[0].length - two.length)];
  });
}

/**
 * Compares the terminals that a text mentions with those of the blocks between it and the next text. The text
 * must mention them in the order of their first blocks, each once, and leave out no named terminal. Terminals
 * count from 1, in the order of their first use. 1 is the unnamed one.
 *
 * @returns the terminals of those blocks if they differ, otherwise undefined
 */
export function terminalsThatFollow(
  mentions: readonly Mention[],
  page: Page,
  from: number,
  to: number,
): number[] | undefined {
  const names = [...new Set(["", ...consoles(page).map(({ options }) => options.terminal)])];
  const follow = consoles(page)
    .filter(({ line }) => line > from && line < to)
    .map(({ options }) => names.indexOf(options.terminal) + 1);
  const first = [...new Set(follow)];
  let at = -1;
  const inOrder = mentions.every(({ number }) => {
    at = first.indexOf(number, at + 1);
    return at !== -1;
  });
  const all = follow.every((number) => number === 1 || mentions.some((one) => one.number === number));
  return inOrder && all ? undefined : follow;
}

function consoles(page: Page): ConsoleBlock[] {
  return blocksOf(page).filter((block) => block.kind === "console");
}
