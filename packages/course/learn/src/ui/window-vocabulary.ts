import { basename } from "node:path";
import type { Origin } from "@operator-path/walkthrough";
import { strings } from "@operator-path/workbench";
import type { PageFile } from "../pages.ts";
import { stepTitle, type Vocabulary } from "../vocabulary.ts";

/**
 * Returns the words of the browser's window.
 *
 * @param shown the page in the window. Places on other pages are named with their page
 */
export function windowVocabulary(shown: PageFile, files: readonly PageFile[]): Vocabulary {
  const nameOf = (path: string): string => files.find((file) => file.path === path)?.name ?? basename(path);
  const place = (origin: Origin): string => {
    const { path } = origin.page;
    return `the step "${stepTitle(origin)}"${path === shown.path ? "" : ` of ${nameOf(path)}`}`;
  };
  const button = (label: string): string => `"${label}"`;
  return {
    place,
    at: (origin) => `in ${place(origin)}`,
    afterStep: ({ page }) => (page.path === shown.path ? "" : ` (${nameOf(page.path)})`),
    check: () => button(strings.checkStep),
    finish: ({ title }) => `${button(strings.catchUp)} in the step "${title}"`,
    record: ({ title }) => `press ${button(strings.countThisStep)} at the end of "${title}"`,
    catchUp: () => button(strings.catchUp),
    diff: () => button(strings.beside),
    exercise: (_, action) => button(action === "begin" ? strings.begin : strings.check),
    hint: () => "Hints are below the exercise.",
    exercises: "Hints and the solution are below the exercise.",
    nextPage: () => `Press ${button(strings.nextPage)} below the last step.`,
    makesFolder: "open another page, then this one again, to create it",
  };
}
