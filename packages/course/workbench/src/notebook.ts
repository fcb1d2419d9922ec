import type { Course } from "./course.ts";
import type { Memory } from "./memory.ts";
import { coveredCommands } from "./page/covered-commands.ts";
import type { Part } from "./page/page-view.ts";
import { viewPage } from "./page/view-page.ts";
import type { NotebookPage } from "./protocol.ts";

/** Returns the learner's answers on all pages, each with what the page asked and what then happened. */
export async function readNotebook(course: Course, memory: Memory): Promise<NotebookPage[]> {
  const pages = await Promise.all(
    (await course.pages()).map(async ({ name, title }): Promise<NotebookPage[]> => {
      const { answers } = await memory.read(name);
      if (Object.keys(answers).length === 0) return [];
      const { steps } = viewPage(await course.read(name), { name, pageOf: () => undefined });
      const entries = steps.flatMap((step) =>
        answered(step.parts, answers).map((entry) => ({ ...entry, step: step.title })),
      );
      // A page that has changed may no longer ask what was answered.
      return entries.length === 0 ? [] : [{ name, title, entries }];
    }),
  );
  return pages.flat();
}

type Entry = Omit<NotebookPage["entries"][number], "step">;

function answered(parts: readonly Part[], answers: Readonly<Record<string, string>>): Entry[] {
  return parts.flatMap((part, i): Entry[] => {
    if (part.kind === "fold") return answered(part.parts, answers);
    if (part.kind !== "text" || part.question === undefined) return [];
    const answer = answers[part.question];
    if (answer === undefined) return [];
    const entries = coveredCommands(parts, i).flatMap((block) => block.entries);
    const happened = entries.map(({ kind, text, expected }) => ({ kind, text, output: expected }));
    return [{ id: part.question, html: part.html, answer, happened }];
  });
}
