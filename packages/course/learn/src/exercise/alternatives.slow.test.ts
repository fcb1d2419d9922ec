import { dirname } from "node:path";
import { findAlternatives, runAlternatives } from "@operator-path/walkthrough";
import { expect, test } from "vitest";
import { listPages } from "../pages.ts";
import { repositoryRoot as root } from "../repository.ts";

test.each(await listPages(root))(
  "the tests of the exercises of $name pass other solutions, and fail wrong ones",
  async ({ path }) => {
    const { exercises } = findAlternatives(dirname(path));
    const own = exercises.filter(({ page }) => page.path === path);
    expect(await runAlternatives(own, { root })).toEqual([]);
  },
  1_800_000,
);
