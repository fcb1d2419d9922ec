import { posix } from "node:path";
import { forEachChild, parse, type SyntaxNode } from "unbash";
import { blocksOf, type ConsoleBlock, type Page } from "../page/page.ts";
import { pageAfter } from "../project/page-chain.ts";
import { findProse } from "./prose.ts";
import { terminalMentions } from "./terminals.ts";

/** Rules about how a page teaches. See docs/tutorial-format.md, "Rules for pages". */
export type PageRule = "captions" | "diffs" | "terminals" | "history" | "length" | "exercises" | "pictures";

/** A place of a page that breaks a rule. */
export interface RuleProblem {
  readonly rule: PageRule;
  /** Line of the page, from 1. */
  readonly line: number;
  /** What is wrong, and what to do. */
  readonly message: string;
}

/** The longest block that a learner copies, in lines. */
const longest = 30;
const leastExercises = 3;

/** Returns the places where a page breaks a rule, by rule. Reads the pages that go on from it, and runs nothing. */
export function checkPageRules(page: Page): RuleProblem[] {
  return [
    ...captions(page),
    ...diffs(page),
    ...terminals(page),
    ...history(page),
    ...length(page),
    ...exercises(page),
    ...pictures(page),
  ];
}

/**
 * A link above a block leads to the committed file. If a later block changes the file, the learner's file is
 * not the committed one yet, and the link would show what is still to come.
 */
function captions(page: Page): RuleProblem[] {
  const { project } = page.frontMatter;
  if (project === undefined) return [];
  const blocks = blocksOf(page);
  const later: ReturnType<typeof blocksOf> = [];
  for (let next = pageAfter(page); next !== undefined; next = pageAfter(next)) later.push(...blocksOf(next));
  const changes = (file: string) => (block: (typeof blocks)[number]) =>
    (block.kind === "write" || block.kind === "edit" || block.kind === "exercise") && block.file === file;
  return blocks.flatMap((block, i) => {
    if (block.kind === "console" || block.kind === "tree" || block.caption === "code") return [];
    const { file } = block;
    if (!file.startsWith(`${project}/`)) return [];
    const isStarter = block.kind === "exercise";
    if (!isStarter && ![...blocks.slice(i + 1), ...later].some(changes(file))) return [];
    const path = file.slice(project.length + 1);
    const why = isStarter ? "which is the solution" : "which a later block changes";
    const message = `the caption links to the final ${path}, ${why}: write \`${path}\` in code, without the link`;
    return [{ rule: "captions", line: block.line, message }];
  });
}

/** A reader must be able to give a diff to `patch`. A run compares the numbers with the file. */
function diffs(page: Page): RuleProblem[] {
  const { project = "" } = page.frontMatter;
  return blocksOf(page).flatMap((block) => {
    if (block.kind !== "edit") return [];
    const path = posix.relative(project, block.file);
    const [old, now, ...lines] = block.content.split("\n");
    const named = old === `--- a/${path}` && now === `+++ b/${path}`;
    if (named && isNumbered(lines)) return [];
    const message = `\`patch\` cannot apply this diff of ${path}: \`pnpm learn update-pages\` writes its headers`;
    return [{ rule: "diffs", line: block.line, message }];
  });
}

/** Reports whether each line belongs to a hunk that says how many it has. */
function isNumbered(lines: readonly string[]): boolean {
  let [old, now] = [0, 0];
  for (const line of lines.at(-1) === "" ? lines.slice(0, -1) : lines) {
    const [, removed, added] = /^@@ -\d+,(\d+) \+\d+,(\d+) @@/.exec(line) ?? [];
    if (removed !== undefined && old === 0 && now === 0) [old, now] = [Number(removed), Number(added)];
    else {
      if (!line.startsWith("+")) old--;
      if (!line.startsWith("-")) now--;
      if (old < 0 || now < 0) return false;
    }
  }
  return old === 0 && now === 0;
}

/** A reader with several terminals must know which one comes next. */
function terminals(page: Page): RuleProblem[] {
  const consoles = blocksOf(page).filter((block): block is ConsoleBlock => block.kind === "console");
  const names = [...new Set(["", ...consoles.map(({ options }) => options.terminal)])];
  const texts = findProse(page).filter(({ kind }) => kind === "text");
  return consoles.flatMap((block, i) => {
    const before = consoles[i - 1];
    const { terminal } = block.options;
    if (terminal === (before?.options.terminal ?? "")) return [];
    const number = names.indexOf(terminal) + 1;
    const named = texts
      .filter(({ line }) => line > (before?.endLine ?? 0) && line < block.line)
      .some((text) => terminalMentions(text).some((mention) => mention.number === number));
    if (named) return [];
    const message = `this block is in another terminal than the one before: write "In terminal ${number}:" above it`;
    return [{ rule: "terminals", line: block.line, message }];
  });
}

/**
 * An interactive bash or zsh replaces `!` and a word by an earlier command, also within double quotes. No run shows
 * it, because its commands come from a file.
 */
function history(page: Page): RuleProblem[] {
  return blocksOf(page).flatMap((block) =>
    block.kind === "console"
      ? block.entries.flatMap((entry) => {
          const quoted = entry.kind === "command" ? expanded(entry.text) : undefined;
          if (quoted === undefined) return [];
          const message = `an interactive shell takes the \`!\` in ${quoted} for an earlier command: write it in single quotes`;
          return [{ rule: "history" as const, line: entry.line, message }];
        })
      : [],
  );
}

/** Returns the first text in double quotes whose `!` begins a word of the history. */
function expanded(command: string): string | undefined {
  let found: string | undefined;
  const visit = (node: SyntaxNode): void => {
    if (
      node.type === "DoubleQuoted" &&
      node.parts.some((part) => part.type === "Literal" && isEvent(part.text))
    )
      found ??= node.text;
    forEachChild(node, visit);
  };
  visit(parse(command));
  return found;
}

/** A blank or `=` behind `!` is safe. A quote is not in the bash of macOS. */
function isEvent(text: string): boolean {
  return /!(?![\s=])/.test(text);
}

function length(page: Page): RuleProblem[] {
  return page.steps
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => {
      if (block.kind !== "write" && block.kind !== "edit" && block.kind !== "exercise") return [];
      if (block.kind === "write" && block.given) return [];
      const lines = block.content.replace(/\n$/, "").split("\n");
      const count =
        block.kind === "edit"
          ? lines.filter((line) => line.startsWith("+") && !line.startsWith("+++ ")).length
          : lines.length;
      if (count <= longest) return [];
      const message = `${count} lines to copy: split the block, make it an exercise, or mark a file that learners take as it is with \`given\` (at most ${longest})`;
      return [{ rule: "length", line: block.line, message }];
    });
}

function exercises(page: Page): RuleProblem[] {
  const count = blocksOf(page).filter(({ kind }) => kind === "exercise").length;
  if (count >= leastExercises) return [];
  return [
    { rule: "exercises", line: 1, message: `the page has ${count} exercises: at least ${leastExercises}` },
  ];
}

function pictures(page: Page): RuleProblem[] {
  const has =
    findProse(page).some(({ kind }) => kind === "picture") || /!\[[^\]]*\]\([^)]+\)|<img\s/.test(page.source);
  return has ? [] : [{ rule: "pictures", line: 1, message: "the page has no picture: draw one (`mermaid`)" }];
}
