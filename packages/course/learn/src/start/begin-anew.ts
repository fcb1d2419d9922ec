import { basename, dirname } from "node:path";
import type { Page } from "@operator-path/walkthrough";
import { forgetShownNotes } from "../check/shown-notes.ts";
import { changeFinished, withoutPages } from "../finished-steps.ts";
import type { PageFile } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { forgetObjects } from "./cluster-objects.ts";
import { workshopsOf } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import { hasWork, projectOf, setAside, workshopFolder } from "./workshop.ts";

/**
 * Starts a page over: moves the learner's folder aside, forgets the finished steps of this page and the later
 * pages of its project, and stops the tutorial's cluster. Returns the new path of the folder. Returns
 * undefined if there was no work in it.
 *
 * @param pages the pages of the path, in reading order
 */
export async function beginAnew(
  file: PageFile,
  pages: readonly PageFile[],
  { root, sessions }: { readonly root: string; readonly sessions: Sessions },
): Promise<string | undefined> {
  const tutorial = basename(dirname(file.path));
  const project = projectOf(readPage(file));
  const later = pages
    .slice(pages.findIndex(({ path }) => path === file.path))
    .filter((one) => dirname(one.path) === dirname(file.path) && isOf(readPage(one), project));
  await changeFinished(workshopsOf(root), (finished) => ({
    ...withoutPages(
      finished,
      later.map(({ name }) => name),
    ),
    // The learner goes on there, and not on another page.
    last: file.name,
  }));
  await sessions.close(tutorial);
  const workshops = workshopsOf(root, tutorial);
  await forgetObjects({ workshops });
  await forgetShownNotes(workshops);
  const folder = workshopFolder({ workshops }, project);
  return (await hasWork(folder)) ? setAside(folder) : undefined;
}

function isOf(page: Page, project: string): boolean {
  return page.frontMatter.project === project;
}
