import type { Page, Step } from "@operator-path/walkthrough";
import { changeFinished, withoutPages, withSteps } from "../finished-steps.ts";
import { pageNames } from "../pages.ts";
import type { Place, PlaceOptions } from "./place.ts";
import { indexOfStep, type NumberedStep, stepsOf } from "./steps.ts";

/**
 * Returns the steps that a check in the browser's window does not finish, however far the files are: those of other
 * pages, and those of its own page whose commands have not run.
 */
export function stepsWithoutProof(
  pages: readonly Page[],
  own: Page | undefined,
  unfinished: ReadonlySet<string>,
): Step[] {
  return pages.flatMap((page) =>
    page === own ? page.steps.filter(({ slug }) => unfinished.has(slug)) : page.steps,
  );
}

/**
 * Records in progress.json that the steps of a project are done, so that the menu of `pnpm start` shows it.
 *
 * @param last the last finished step
 * @param exactly forget the steps after it. Default: keep them
 * @param except steps that are not done by this. If they were done before, they stay so
 */
export async function recordDone(
  { pages }: Place,
  last: NumberedStep,
  { root, workshops }: Pick<PlaceOptions, "root" | "workshops">,
  { exactly = false, except = [] }: { readonly exactly?: boolean; readonly except?: readonly Step[] } = {},
): Promise<void> {
  const steps = stepsOf(pages);
  const upTo = steps.slice(0, indexOfStep(steps, last) + 1);
  const slugs = upTo.filter(({ page }) => page === last.page).map(({ step }) => step.slug);
  const names = await pageNames(root);
  const nameOf = (path: string): string => names.get(path) ?? "";
  const at = pages.indexOf(last.page);
  const later = pages.slice(at + 1).map(({ path }) => nameOf(path));
  await changeFinished(workshops, (before) =>
    pages.slice(0, at + 1).reduce(
      (finished, page) => {
        const name = nameOf(page.path);
        const before = finished.pages[name]?.done ?? [];
        const known = exactly && page === last.page ? before.filter((slug) => slugs.includes(slug)) : before;
        const done = upTo.flatMap(({ step, number, page: of }) =>
          of === page && number > 0 && !except.includes(step) ? step.slug : [],
        );
        return withSteps(finished, name, "done", [...new Set([...known, ...done])]);
      },
      exactly ? withoutPages(before, later) : before,
    ),
  );
}
