import { dirname, join, relative, resolve } from "node:path";
import type { Page } from "../page/page.ts";

/** The committed project that a page ends with, from the repository's root; undefined for a page without one. */
export function projectOf(page: Page, root: string): string | undefined {
  const { project } = page.frontMatter;
  return project && relative(root, join(dirname(resolve(page.path)), project));
}
