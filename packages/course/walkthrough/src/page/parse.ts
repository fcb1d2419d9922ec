import { closestMatch } from "leven";
import MarkdownIt from "markdown-it";
import { type Caption, captionAbove } from "./caption.ts";
import { ConsoleSyntaxError, parseConsole } from "./console.ts";
import { testsAbove, withFolds } from "./exercise.ts";
import { findFolds } from "./folds.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { consoleOptions, type InfoString, parseInfoString, unknownWord } from "./info-string.ts";
import { createSlugger } from "./links.ts";
import { checkNearMisses } from "./near-miss.ts";
import type { Block, Page, Step } from "./page.ts";
import { PageError } from "./page-error.ts";
import { checkQuestions } from "./question.ts";

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

/**
 * Parses a page (docs/tutorial-format.md). Runs nothing and reads no file. Throws PageError for the first
 * mistake.
 *
 * @param path for messages, and for the folder that relative links start from
 */
export function parsePage(markdown: string, path: string): Page {
  const source = markdown.replaceAll("\r\n", "\n");
  const { frontMatter, body, offset } = splitFrontMatter(source, path);
  const lines = body.split("\n");
  const tokens = new MarkdownIt({ html: true }).parse(body, {});
  const folds = findFolds(tokens, lines);
  const slugOf = createSlugger();
  const links: { href: string; line: number }[] = [];
  const steps: (Step & { blocks: Block[] })[] = [
    { slug: "introduction", title: frontMatter.title, line: 1, blocks: [], cleanUp: false },
  ];
  tokens.forEach((token, i) => {
    const line = offset + (token.map?.[0] ?? 0) + 1;
    if (token.type === "inline") links.push(...linksOf(token, line));
    if (token.type === "heading_open") {
      const title = textOf(tokens[i + 1]);
      const slug = slugOf(title);
      if (token.tag === "h2") {
        if (slug === "") throw new PageError(path, line, "a step's heading needs a name");
        steps.push({ slug, title, line, blocks: [], cleanUp: slug === "clean-up" });
      }
    }
    if (token.type === "fence") {
      checkFence(token, lines, path, offset);
      const block = toBlock(tokens, i, { path, offset, project: frontMatter.project ?? "" });
      if (block) steps.at(-1)?.blocks.push(block);
    }
  });
  const first = steps[0];
  if (first?.blocks.length === 0) steps.shift();
  for (const [i, step] of steps.entries()) {
    const next = steps[i + 1]?.line ?? Number.POSITIVE_INFINITY;
    const own = folds.filter(({ from }) => offset + from + 1 > step.line && offset + from + 1 < next);
    step.blocks = withFolds(step, own, path, offset);
  }
  checkSteps(steps, path);
  checkQuestions(tokens, path, offset);
  checkNearMisses({ tokens, steps, folds }, path, offset);
  return { path, frontMatter, steps, links, source };
}

function checkSteps(steps: readonly Step[], path: string): void {
  const seen = new Set<string>();
  for (const step of steps) {
    if (seen.has(step.slug)) throw new PageError(path, step.line, `two steps are called "${step.slug}"`);
    seen.add(step.slug);
  }
  const cleanUp = steps.findIndex((step) => step.cleanUp);
  if (cleanUp !== -1 && steps.slice(cleanUp + 1).some((step) => step.blocks.length > 0)) {
    throw new PageError(
      path,
      steps[cleanUp]?.line ?? 1,
      '"Clean up" must be the last step that does anything',
    );
  }
}

/**
 * CommonMark closes an unclosed fence at the end of the page, and ends a nested one early. Both swallow text
 * silently.
 */
function checkFence(token: Token, lines: readonly string[], path: string, offset: number): void {
  const [start, end] = token.map ?? [0, 0];
  const closing = (lines[end - 1] ?? "").replace(/^[\s>]*/, "");
  const closes = end - 1 > start && closing.startsWith(token.markup) && /^(?:`+|~+)\s*$/.test(closing);
  const nested = token.content.split("\n").findIndex((line) => /^\s*(?:`{3,}|~{3,})/.test(line));
  if (nested !== -1) {
    throw new PageError(
      path,
      offset + start + 2 + nested,
      `a fence inside the fence of line ${offset + start + 1}: close that one first`,
    );
  }
  if (!closes) throw new PageError(path, offset + start + 1, "this fence is never closed");
}

function toBlock(
  tokens: readonly Token[],
  at: number,
  { path, offset, project }: { readonly path: string; readonly offset: number; readonly project: string },
): Block | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  const line = offset + (token.map?.[0] ?? 0) + 1;
  const endLine = offset + (token.map?.[1] ?? 0);
  const lines = { line, endLine };
  try {
    const info = parseInfoString(token.info);
    if (info.language === "console") {
      const options = consoleOptions(info);
      return { kind: "console", ...lines, options, entries: parseConsole(token.content, options, line + 1) };
    }
    const caption = captionAbove(tokens, at, project);
    const kind = fileKind(info, caption);
    if (kind === undefined || caption === undefined) {
      if (["", "text", "mermaid"].includes(info.language)) return undefined;
      const near = closestMatch(info.language, ["console", "text", "mermaid"], { maxDistance: 2 });
      if (near && caption === undefined)
        throw new Error(`nothing proves this \`${info.language}\` fence; did you mean \`${near}\`?`);
      throw new Error(
        `nothing proves this \`${info.language}\` fence: quote a file (a line above it that is only a link to the file, or only its path as code), run it (\`console\`), or call it \`text\` and claim its words`,
      );
    }
    const common = { ...lines, file: caption.file, caption: caption.kind, content: token.content };
    if (kind === "exercise")
      return { kind, ...common, tests: testsAbove(tokens, at), hints: [], solution: [] };
    if (kind === "write") return { kind, ...common, given: info.words.has("given") };
    return kind === "quotation" ? { kind, ...common, language: info.language } : { kind, ...common };
  } catch (error) {
    if (error instanceof ConsoleSyntaxError) throw new PageError(path, line + 1 + error.line, error.message);
    if (error instanceof PageError) throw error;
    throw new PageError(path, line, error instanceof Error ? error.message : String(error));
  }
}

const fileWords = ["file", "exercise", "given"] as const;

function fileKind(
  info: InfoString,
  caption: Caption | undefined,
): "quotation" | "edit" | "write" | "tree" | "exercise" | undefined {
  for (const [word, value] of info.words) {
    if (!(fileWords as readonly string[]).includes(word)) throw unknownWord(word, fileWords);
    if (value !== true) throw new Error(`"${word}" takes no value: the line above the fence names the file`);
    if (caption === undefined)
      throw new Error(
        `"${word}" needs a line above the fence that is only a link to the file, or only its path as code`,
      );
  }
  if (info.words.has("given") && !info.words.has("file"))
    throw new Error('"given" goes with "file": it marks a file that the learner takes as it is');
  if (caption === undefined) return undefined;
  if (info.words.has("exercise")) return "exercise";
  if (info.words.has("file")) return "write";
  if (info.language === "diff") return "edit";
  return info.language === "tree" ? "tree" : "quotation";
}

function linksOf(inline: Token, line: number): { href: string; line: number }[] {
  const found: { href: string; line: number }[] = [];
  let at = line;
  for (const child of inline.children ?? []) {
    if (child.type === "softbreak" || child.type === "hardbreak") at++;
    const href =
      child.type === "link_open"
        ? child.attrGet("href")
        : child.type === "image"
          ? child.attrGet("src")
          : null;
    if (href) found.push({ href: String(href), line: at });
  }
  return found;
}

function textOf(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .filter((child) => child.type === "text" || child.type === "code_inline")
    .map((child) => child.content)
    .join("");
}
