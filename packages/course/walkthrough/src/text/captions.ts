import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { blocksOf, type Page } from "../page/page.ts";
import type { Link } from "./prose.ts";

/**
 * Returns what is wrong with a link's text, or undefined. A text that is a path must be the end of the
 * target's path. `Page 3` and `tutorial 2` must lead to that page or tutorial. The file must contain a name
 * or a test's title in a code span.
 */
export function checkCaption(
  { text, href, alone }: Pick<Link, "text" | "href" | "alone">,
  page: Page,
): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) {
    const isHost = /^[\w-]+(?:\.[\w-]+)+$/.test(text);
    const has = href.toLowerCase().includes(text.toLowerCase());
    return isHost && !has ? `the link "${text}" leads to ${href}` : undefined;
  }
  const [target = ""] = decodeURIComponent(href).split("#");
  const path = resolve(dirname(page.path), target);
  const plain = text.replaceAll("`", "").trim();
  const wrong = `the link "${text}" leads to ${href}`;
  if (alone || isPath(plain)) {
    const ends = `/${path.split("\\").join("/")}`.endsWith(`/${plain.replace(/^\.\/|\/$/g, "")}`);
    return ends ? undefined : `${wrong}: its text is another path`;
  }
  const numbered = numberedText.exec(plain);
  if (numbered) {
    const name = basename(numbered[1]?.toLowerCase() === "tutorial" ? dirname(path) : path);
    const number = /^0*(\d+)-/.exec(name)?.[1];
    return number === numbered[2] ? undefined : `${wrong}, which is number ${number ?? "none"}`;
  }
  if (!/^`[^`]+`$/.test(text.trim()) || target === "") return undefined;
  if (!existsSync(path) || !statSync(path).isFile()) return undefined;
  const has = readFileSync(path, "utf8").replaceAll(/\s+/g, " ").includes(plain);
  return has ? undefined : `${wrong}, a file that has no ${plain}`;
}

/**
 * Returns the captions that name a file by its path alone, and no such file is in the committed project. A
 * command of the page may name the file: the page may also remove it.
 */
export function missingCaptions(page: Page): { readonly line: number; readonly message: string }[] {
  const { project = "" } = page.frontMatter;
  const blocks = blocksOf(page);
  const commands = blocks
    .flatMap((block) => (block.kind === "console" ? block.entries : []))
    .flatMap(({ kind, text }) => (kind === "command" ? [text] : []));
  return blocks.flatMap((block) => {
    if (block.kind === "console" || block.caption === "link") return [];
    const path = relative(project, block.file) || ".";
    if (existsSync(join(dirname(resolve(page.path)), block.file))) return [];
    if (commands.some((command) => command.includes(path))) return [];
    const message = `the caption \`${path}\` names a file that the committed project ${project} does not have`;
    return [{ line: block.line, message }];
  });
}

const numberedText = /^(page|part|tutorial) (\d+)$/i;

/** Reports whether a link's text names its target by number. */
export function isNumbered(text: string): boolean {
  return numberedText.test(text);
}

/** Reports whether a text is one word with a slash or a dot in it. */
function isPath(text: string): boolean {
  return /^[\w.@-]*[./][\w./@-]*$/.test(text);
}
