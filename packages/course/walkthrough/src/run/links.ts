import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Page } from "../page/page.ts";
import { createSlugger } from "../page/slug.ts";
import { PageFailure } from "./failure.ts";

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
