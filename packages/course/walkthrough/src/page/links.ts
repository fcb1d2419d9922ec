import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PageFailure } from "../run/failure.ts";
import type { Page } from "./page.ts";

/** The first link of the page that leads nowhere: a file that is not in the repository, a heading that is not there. */
export function checkLinks(page: Page): PageFailure | undefined {
  const slugOf = createSlugger();
  const anchors = new Set(
    [...page.source.matchAll(/^#{1,6} (.+)$/gm)].map((match) => slugOf((match[1] ?? "").replaceAll("`", ""))),
  );
  for (const { href, line } of page.links) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(href)) continue;
    const [path = "", anchor] = href.split("#");
    if (
      path === ""
        ? anchor !== undefined && !anchors.has(anchor)
        : !existsSync(join(dirname(resolve(page.path)), decodeURIComponent(path)))
    ) {
      return new PageFailure(line, `the link "${href}" leads nowhere`);
    }
  }
  return undefined;
}

/** GitHub's anchor of a heading: lower case, punctuation dropped, spaces to hyphens, `-1` for the second of a name. */
export function createSlugger(): (title: string) => string {
  const seen = new Map<string, number>();
  return (title) => {
    const slug = title
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}
