import { posix } from "node:path";
import MarkdownIt from "markdown-it";
import type { Repository } from "./link-rules.ts";

const markdown = new MarkdownIt();

/** Languages of fences that show code. It must be quoted from a file that is compiled or tested. */
const quoted = new Set(["ts", "js", "go", "yaml"]);

/** A fence, and the file that the link above it leads to. */
interface Quotation {
  readonly line: number;
  readonly text: string;
  readonly source: string | undefined;
}

/**
 * Returns what is wrong in a recipe, as `file:line what`. Each code fence must stand below a paragraph that is
 * only a relative link, and must be part of the linked file. Indentation that the whole fence lacks is ignored.
 * A recipe must quote at least one TypeScript file with a test beside it.
 */
export function checkRecipe(file: string, repository: Repository): string[] {
  const quotations = quotationsOf(file, repository.read(file));
  const problems = quotations.flatMap(({ line, text, source }) => {
    const at = `${file}:${line}`;
    if (source === undefined) return [`${at} has no link to its source above it`];
    if (!repository.files.has(source)) return [`${at} quotes ${source}, which does not exist`];
    return isPartOf(text, repository.read(source)) ? [] : [`${at} differs from ${source}`];
  });
  const modules = quotations.flatMap(({ source }) => (source?.endsWith(".ts") ? [source] : []));
  const tested = modules.some(
    (source) => source.endsWith(".test.ts") || repository.files.has(source.replace(/\.ts$/, ".test.ts")),
  );
  return tested ? problems : [...problems, `${file} quotes no TypeScript file with a test beside it`];
}

function quotationsOf(file: string, text: string): Quotation[] {
  const tokens = markdown.parse(text, {});
  return tokens.flatMap((token, index) => {
    const [language = ""] = token.info.split(" ");
    if (token.type !== "fence" || !quoted.has(language)) return [];
    const href = onlyLink(tokens[index - 2]?.children ?? []);
    const source = href === undefined ? undefined : posix.join(posix.dirname(file), href);
    return [{ line: (token.map?.[0] ?? 0) + 1, text: token.content, source }];
  });
}

/** The target of a paragraph that is nothing but one relative link. */
function onlyLink(children: readonly { type: string; attrGet(name: string): unknown }[]): string | undefined {
  const [open] = children;
  if (open?.type !== "link_open" || children.at(-1)?.type !== "link_close" || children.length !== 3)
    return undefined;
  const href = String(open.attrGet("href"));
  return /^[a-z][a-z0-9+.-]*:/i.test(href) ? undefined : href;
}

/** Whether the lines of `part` follow one another in `whole`, all indented by the same amount. */
function isPartOf(part: string, whole: string): boolean {
  const wanted = part.trimEnd().split("\n");
  const lines = whole.split("\n");
  return lines.some((line, start) => {
    const indent = line.slice(0, line.length - line.trimStart().length);
    return wanted.every((text, index) => {
      const there = lines[start + index];
      return there === text || there === `${indent}${text}` || (text === "" && there?.trim() === "");
    });
  });
}
