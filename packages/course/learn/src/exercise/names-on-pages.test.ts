import { expect, test } from "vitest";
import { listPages } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { repositoryRoot } from "../repository.ts";
import { numberedExercises } from "./find.ts";

const command = /`exercise\s+(\S+)\s+(?:begin|check|hint|solution)`/g;

test.each((await listPages(repositoryRoot)).map((file) => [file.name, readPage(file)] as const))(
  "%s names each exercise by the number that `exercise` lists",
  async (_, page) => {
    const exercises = await numberedExercises(page, repositoryRoot);
    const wrong = [...page.source.matchAll(command)].flatMap(({ index, 1: name }) => {
      const line = page.source.slice(0, index).split("\n").length;
      const step = page.steps.findLast((one) => one.line <= line);
      // Above the exercises of a step, the next one is meant. In the introduction, the page's first.
      const next = exercises.find(
        ({ exercise: { slug, block } }) =>
          block.line > line && (slug === step?.slug || !hasExercise(step?.slug)),
      );
      return name === String(next?.number) ? [] : [`line ${line}: exercise ${name}, not ${next?.number}`];
    });
    expect(wrong).toEqual([]);

    function hasExercise(slug: string | undefined): boolean {
      return exercises.some(({ exercise }) => exercise.slug === slug);
    }
  },
);
