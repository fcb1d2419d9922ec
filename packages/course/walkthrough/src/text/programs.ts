import { forEachChild, parse, type SyntaxNode } from "unbash";
import { blocksOf, type Page } from "../page/page.ts";
import { pageBefore } from "../project/page-chain.ts";
import type { Sources } from "./vocabulary.ts";

/** Programs that every terminal has: bash's builtins, programs of POSIX, base64, and the Node that runs the page. */
const given = new Set(
  `[ . : cd command echo eval exec exit export kill printf pwd read set shift source test trap true false type unset wait
  awk base64 basename cat chmod cp cut date diff dirname env find grep head ln ls mkdir mv ps rm sed sh sleep sort tail tee touch tr
  uniq wc xargs bash node`.split(/\s+/),
);

/**
 * Returns what is wrong with a page's `requires`: a program that no command runs, or one that a command runs
 * and the list lacks. The commands of a page include the replays of the pages that it starts from, which a
 * run of the page repeats.
 */
export function wrongRequirements(page: Page, sources: Sources): string[] {
  const { requires } = page.frontMatter;
  const used = new Set(programsOf(page, sources).filter((name) => !given.has(name)));
  return [
    ...requires
      .filter((name) => !used.has(name))
      .map((name) => `requires has ${name}, and no command runs it: remove it`),
    ...[...used]
      .filter((name) => !requires.includes(name))
      .map((name) => `a command runs ${name}, and requires does not have it: add it`),
  ];
}

function programsOf(page: Page, { page: read }: Sources): string[] {
  const found = commandsOf(page, false);
  for (let one = pageBefore(page, read); one !== undefined; one = pageBefore(one, read))
    found.push(...commandsOf(one, true));
  return found.flatMap(programsIn);
}

function commandsOf(page: Page, replayedAlone: boolean): string[] {
  return blocksOf(page)
    .flatMap((block) =>
      block.kind === "console" && (block.options.replay || !replayedAlone) ? block.entries : [],
    )
    .flatMap((entry) => (entry.kind === "command" ? [entry.text] : []));
}

/** Returns the program of each command, also in lists, pipelines, subshells and substitutions. */
function programsIn(command: string): string[] {
  const found: string[] = [];
  const visit = (node: SyntaxNode): void => {
    // A name that the shell expands, such as $EDITOR, is not a program of the page.
    if (node.type === "Command" && node.name && /^[\w.:[-]+$/.test(node.name.text))
      found.push(node.name.text);
    forEachChild(node, visit);
  };
  visit(parse(command));
  return found;
}
