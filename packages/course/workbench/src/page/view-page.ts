import { createHash } from "node:crypto";
import { extname } from "node:path";
import type { Block, ConsoleBlock, Page, Step } from "@operator-path/walkthrough";
import { commandHtml, escapeHtml, highlightHtml } from "./highlight.ts";
import { asksLearner, type PageMarkdown, pageMarkdown, type Token } from "./markdown.ts";
import type { CommandsPart, EntryView, FilePart, PageView, Part, StepView } from "./page-view.ts";

export interface ViewOptions {
  /** The page's name: `01-podbuggertool/1`. */
  readonly name: string;
  /** Returns the name of the page in a Markdown file beside this one. Default: none is a page. */
  readonly pageOf?: (file: string) => string | undefined;
}

/** Returns a parsed page as data for the browser. */
export function viewPage(page: Page, { name, pageOf = () => undefined }: ViewOptions): PageView {
  const lines = page.source.split("\n");
  const start = lines.indexOf("---", 1) + 1;
  const markdown = pageMarkdown(pageOf);
  const tokens = markdown.parse(lines.slice(start).join("\n"));
  const { title, summary = "", minutes } = page.frontMatter;
  const blocks = blocksByLine(page);
  const context = { page, offset: start, markdown, blocks };
  return { name, title, summary, minutes, steps: stepsOf(tokens, context) };
}

/** Finds a block by its id. Undefined if the page has none, or its text is not the one of the hash. */
export function findBlock(page: Page, id: string, hash: string): Block | undefined {
  const found = [...blocksByLine(page).values()].find((one) => one.id === id);
  return found && hashOf(page, found.block) === hash ? found.block : undefined;
}

/** Returns the hash of each block's text, by the block's id. */
export function hashesOf(page: Page): ReadonlyMap<string, string> {
  return new Map([...blocksByLine(page).values()].map(({ id, block }) => [id, hashOf(page, block)]));
}

/** Returns the ids of a step's blocks that the learner acts on, in order. */
export function idsOf(page: Page, step: Step): { readonly id: string; readonly block: Block }[] {
  return [...blocksByLine(page).values()].filter(
    ({ block, inStep }) => inStep === step && step.blocks.includes(block),
  );
}

interface PlacedBlock {
  readonly id: string;
  readonly block: Block;
  readonly inStep: Step;
}

/** The blocks of a page, also those of solutions, by the line of their fence. */
function blocksByLine(page: Page): Map<number, PlacedBlock> {
  const found = new Map<number, PlacedBlock>();
  for (const step of page.steps) {
    const all = step.blocks.flatMap((block): Block[] =>
      block.kind === "exercise" ? [block, ...block.solution] : [block],
    );
    for (const [i, block] of all.entries())
      found.set(block.line, { id: `${step.slug}/${i + 1}`, block, inStep: step });
  }
  return found;
}

function hashOf({ source }: Page, { line, endLine }: Block): string {
  const text = source
    .split("\n")
    .slice(line - 1, endLine)
    .join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

interface Context {
  readonly page: Page;
  /** Lines of the page before the text that the tokens are of. */
  readonly offset: number;
  readonly markdown: PageMarkdown;
  readonly blocks: ReadonlyMap<number, PlacedBlock>;
}

/** Splits the tokens at the headings of steps. */
function stepsOf(tokens: readonly Token[], context: Context): StepView[] {
  const { page, offset } = context;
  const starts = tokens.flatMap((token, i) =>
    token.type === "heading_open" && token.tag === "h2" ? [i] : [],
  );
  const [first = tokens.length] = starts;
  const introduction = partsOf(withoutTitle(tokens.slice(0, first)), "introduction", context);
  const steps = starts.map((at, i): StepView => {
    const line = offset + (tokens[at]?.map?.[0] ?? 0) + 1;
    const step = page.steps.find((one) => one.line === line);
    if (!step) throw new Error(`${page.path}:${line}: no step begins at this heading`);
    const parts = partsOf(tokens.slice(at + 3, starts[i + 1]), step.slug, context);
    return { slug: step.slug, title: step.title, number: i + 1, parts };
  });
  const { title } = page.frontMatter;
  return [{ slug: "introduction", title, number: 0, parts: introduction }, ...steps];
}

/** The title is shown above the page already. */
function withoutTitle(tokens: readonly Token[]): Token[] {
  const title = tokens.findIndex(({ type, tag }) => type === "heading_open" && tag === "h1");
  return title === -1 ? [...tokens] : tokens.toSpliced(title, 3);
}

function partsOf(tokens: readonly Token[], slug: string, context: Context): Part[] {
  const { markdown, blocks, offset, page } = context;
  const parts: Part[] = [];
  const folds: { readonly summary: string; readonly parts: Part[] }[] = [];
  let text: Token[] = [];
  let questions = 0;
  const add = (part: Part): void => void (folds.at(-1)?.parts ?? parts).push(part);
  const flush = (asks = false): void => {
    if (text.length === 0) return;
    const html = markdown.render(text);
    const question = asks && asksLearner(text.at(-2)) ? { question: `${slug}?${++questions}` } : {};
    text = [];
    add({ kind: "text", html, ...question });
  };
  for (const [i, token] of tokens.entries()) {
    if (token.type === "html_block") {
      flush();
      const opens = /<details>/i.test(token.content);
      const summary = /<summary>([\s\S]*?)<\/summary>/i.exec(token.content)?.[1] ?? "";
      if (opens) folds.push({ summary: summary.replaceAll(/<[^>]*>/g, "").trim(), parts: [] });
      if (/<\/details>/i.test(token.content)) {
        const fold = folds.pop();
        if (fold) add({ kind: "fold", ...fold });
      }
      if (!opens && !/<\/details>/i.test(token.content)) text.push(token);
      continue;
    }
    // A heading begins a text of its own: what is hidden until an answer ends there.
    if (token.type === "heading_open") flush();
    if (token.type !== "fence" || token.level > 0) {
      text.push(token);
      continue;
    }
    const block = blocks.get(offset + (token.map?.[0] ?? 0) + 1);
    // The caption is shown in the block's own head.
    if (block && block.block.kind !== "console") text = text.slice(0, -3);
    flush(block !== undefined && tokens[i - 1]?.type === "paragraph_close");
    add(block ? viewBlock(block, page) : viewFence(token));
  }
  flush();
  return parts;
}

function viewFence({ info, content }: Token): Part {
  const [language = ""] = info.split(" ");
  if (language === "mermaid") return { kind: "diagram", source: content };
  return { kind: "code", html: highlightHtml(content.replace(/\n$/, ""), language) };
}

function viewBlock({ id, block }: PlacedBlock, page: Page): CommandsPart | FilePart {
  const common = { id, hash: hashOf(page, block) };
  if (block.kind === "console")
    return {
      ...{ kind: "commands", ...common, terminal: block.options.terminal || "main" },
      entries: viewEntries(block),
    };
  const file = block.file.split("/").slice(1).join("/");
  const tests = block.kind === "exercise" ? block.tests.map(({ name }) => name) : [];
  const html = highlightHtml(block.content.replace(/\n$/, ""), languageOf(block));
  return { kind: "file", ...common, action: block.kind, file: file || block.file, html, tests };
}

/** Returns the language of a file block. A drawing of a folder has none. */
function languageOf(block: Exclude<Block, ConsoleBlock>): string {
  if (block.kind === "edit") return "diff";
  if (block.kind === "tree") return "";
  if (/Dockerfile$/.test(block.file)) return "docker";
  if (/Makefile$/.test(block.file)) return "make";
  return extname(block.file).slice(1);
}

function viewEntries({ entries, options }: ConsoleBlock): EntryView[] {
  return entries.map(({ kind, text, expected }) => ({
    kind,
    text,
    html: kind === "typed" ? escapeHtml(`${options.prompt ?? ""}${text}`) : commandHtml(text),
    expected: expected.noOutput ? "(no output)" : expected.lines.map((line) => line.text).join("\n"),
    exitStatus: expected.exitStatus,
  }));
}
