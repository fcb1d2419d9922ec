import { join } from "node:path";
import { expect, test } from "vitest";
import { openMemory } from "./memory.ts";
import { readNotebook } from "./notebook.ts";
import { testLearner } from "./testing/learner.ts";
import { testCourse } from "./testing/test-course.ts";

const fence = "```";
const body = `Before.

## Think

What will it print? <!-- question -->

${fence}console
$ echo one
one
${fence}

${fence}console
$ echo two
two
${fence}
`;

test("lists each answer with its question and what then happened", async () => {
  const learner = testLearner();
  const course = testCourse(body, learner);
  const memory = openMemory(join(learner.folder, "workbench.json"));
  expect(await readNotebook(course, memory)).toEqual([]);
  // The page has no longer the other question.
  await memory.write("t/1", { done: {}, answers: { "think?1": "two", "gone?1": "three" } });
  expect(await readNotebook(course, memory)).toEqual([
    {
      ...{ name: "t/1", title: "Try" },
      entries: [
        {
          ...{ id: "think?1", step: "Think", answer: "two" },
          html: expect.stringContaining("What will it print?"),
          happened: [
            { kind: "command", text: "echo one", output: "one" },
            { kind: "command", text: "echo two", output: "two" },
          ],
        },
      ],
    },
  ]);
});
