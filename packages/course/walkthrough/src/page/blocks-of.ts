import type { Block, Page } from "./page.ts";

/** Every block of a page, those in the solutions of exercises included. */
export function blocksOf(page: Page): Block[] {
  return page.steps
    .flatMap(({ blocks }) => blocks)
    .flatMap((block): Block[] => (block.kind === "exercise" ? [block, ...block.solution] : [block]));
}
