import { UserError } from "@operator-path/cluster/user-error";
import type { Origin, Page, Step } from "@operator-path/walkthrough";

/** A step of a page, and its number. */
export interface NumberedStep {
  readonly page: Page;
  readonly step: Step;
  /** From 1. 0 for text above the first heading. */
  readonly number: number;
  /** Number of the page's steps. */
  readonly of: number;
}

/** Returns the steps of the pages in reading order. Clean up has a number too. */
export function stepsOf(pages: readonly Page[]): NumberedStep[] {
  return pages.flatMap((page) => {
    const numbered = page.steps.filter(({ slug }) => slug !== "introduction");
    return page.steps.map((step) => ({
      page,
      step,
      number: numbered.indexOf(step) + 1,
      of: numbered.length,
    }));
  });
}

/** Returns the place of a step among the steps of its pages. -1: none. */
export function indexOfStep(steps: readonly NumberedStep[], one: NumberedStep | undefined): number {
  return steps.findIndex(({ step }) => step === one?.step);
}

/**
 * Finds a step by its number, its anchor, an alias of it, or words of its title. Throws UserError with the
 * known steps if none or several match.
 *
 * @param current the page whose steps count first. Numbers always count there
 */
export function findStep(name: string, steps: readonly NumberedStep[], current: Page): NumberedStep {
  const wanted = name.trim().toLowerCase();
  const here = steps.filter(({ page }) => page === current);
  const rules: readonly ((one: NumberedStep) => boolean)[] = [
    ({ number }) => String(number) === wanted,
    ({ step, page }) => step.slug === (page.frontMatter.aliases[wanted] ?? wanted),
    ({ step }) => step.title.toLowerCase() === wanted,
    ({ step }) => step.slug.includes(wanted) || step.title.toLowerCase().includes(wanted),
  ];
  for (const [index, rule] of rules.entries()) {
    for (const group of index === 0 ? [here] : [here, steps]) {
      const [found, another] = group.filter(rule);
      if (found && !another) return found;
      if (found) throw new UserError(`which step is "${name}"? There are ${listed(group.filter(rule))}`);
    }
  }
  throw new UserError(`there is no step "${name}": there are ${listed(here)}`);
}

function listed(steps: readonly NumberedStep[]): string {
  return steps.map(({ number, step }) => `${number} ${step.slug}`).join(", ");
}

/** Returns `step 4 of 16, "A project"`. */
export function formatStep({ step, number, of }: NumberedStep): string {
  return number === 0 ? "the introduction" : `step ${number} of ${of}, "${step.title}"`;
}

/** Returns where a step begins on its page. */
export function originOf({ page, step }: NumberedStep): Origin {
  return { page, line: step.line };
}
