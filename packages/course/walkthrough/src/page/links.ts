import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { closestMatch } from "leven";
import { PageFailure } from "../run/failure.ts";
import type { Page } from "./page.ts";

/** Returns a failure for the first link to a missing file or heading. */
export function checkLinks(page: Page): PageFailure | undefined {
  const slugOf = createSlugger();
  const anchors = new Set(
    [...page.source.matchAll(/^#{1,6} (.+)$/gm)].map((match) => slugOf((match[1] ?? "").replaceAll("`", ""))),
  );
  for (const { href, line } of page.links) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(href)) continue;
    const [path = "", anchor] = href.split("#");
    if (path !== "") {
      if (!existsSync(join(dirname(resolve(page.path)), decodeURIComponent(path))))
        return new PageFailure(line, `the link "${href}" leads nowhere`);
    } else if (anchor !== undefined && !anchors.has(anchor)) {
      const near = closestMatch(anchor, [...anchors]);
      const hint = near === undefined ? "the page has no headings" : `did you mean "#${near}"?`;
      return new PageFailure(line, `the link "${href}" leads to no heading of the page; ${hint}`);
    }
  }
  return undefined;
}

/**
 * Returns a function that makes GitHub's anchor of a heading: lower case, without punctuation, hyphens for
 * spaces, and `-1` for the second heading of a name.
 */
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
