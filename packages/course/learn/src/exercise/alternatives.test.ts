import { basename, dirname } from "node:path";
import { findAlternatives } from "@operator-path/walkthrough";
import { expect, test } from "vitest";
import { listPages } from "../pages.ts";
import { repositoryRoot } from "../repository.ts";

test("each exercise has another solution and a wrong one, and each alternative has an exercise", async () => {
  const pages = await listPages(repositoryRoot);
  const tutorials = [...new Set(pages.map(({ path }) => dirname(path)))];
  const found = tutorials.map((tutorial) => ({
    tutorial: basename(tutorial),
    ...findAlternatives(tutorial),
  }));
  expect(found.flatMap(({ problems }) => problems)).toEqual([]);
  const lacking = found.flatMap(({ tutorial, exercises }) =>
    exercises
      .filter(({ others, wrongs }) => others.length === 0 || wrongs.length === 0)
      .map(({ name }) => `${tutorial}/${name}`),
  );
  expect(lacking).toEqual([]);
});
