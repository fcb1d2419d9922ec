import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Page } from "../page/page.ts";
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

const numberedText = /^(page|part|tutorial) (\d+)$/i;

/** Reports whether a link's text names its target by number. */
export function isNumbered(text: string): boolean {
  return numberedText.test(text);
}

/** Reports whether a text is one word with a slash or a dot in it. */
function isPath(text: string): boolean {
  return /^[\w.@-]*[./][\w./@-]*$/.test(text);
}
