import { basename } from "node:path";
import { expect, it } from "vitest";
import { temporaryTutorial } from "../testing/temporary-tutorial.ts";
import { pagesUpTo, recordHistory } from "./history.ts";

const front = (title: string, start = "empty"): string =>
  `---\ntitle: ${title}\nproject: p\nstart: ${start}\n---\n`;
const first = `${front("One")}
## Write

[a.txt](p/a.txt)

~~~text file
one
two
~~~

~~~console replay
$ echo made > b.txt
~~~
`;
const second = `${front("Two", "page 1")}
## Edit

[a.txt](p/a.txt)

~~~diff
 one
-two
+three
~~~
`;

it("records the project after each block, and the line of the page that each line comes from", async () => {
  using tutorial = temporaryTutorial({ "1-one.md": first, "2-two.md": second });
  const { start, states } = await recordHistory(pagesUpTo(tutorial.page("2-two.md")), {
    root: tutorial.folder,
  });
  expect(start.size).toBe(0);
  expect(
    states.map(({ step, files }) => [step.slug, [...files].map(([path, { text }]) => [path, text])]),
  ).toEqual([
    ["write", [["a.txt", "one\ntwo\n"]]],
    [
      "write",
      [
        ["a.txt", "one\ntwo\n"],
        ["b.txt", "made\n"],
      ],
    ],
    [
      "edit",
      [
        ["a.txt", "one\nthree\n"],
        ["b.txt", "made\n"],
      ],
    ],
  ]);
  const origins = states.at(-1)?.files.get("a.txt")?.origins ?? [];
  const shown = origins.map((origin) => [
    basename(origin?.page.path ?? ""),
    tutorial.line(basename(origin?.page.path ?? ""), origin?.line),
  ]);
  expect(shown.slice(0, 2)).toEqual([
    ["1-one.md", "one"],
    ["2-two.md", "+three"],
  ]);
});

it("gives the commands of a page the tutorial's folder", async () => {
  const page = `${front("One")}\n## Copy\n\n~~~console replay\n$ cp "$TUTORIAL/given.txt" .\n~~~\n`;
  using tutorial = temporaryTutorial({ "1-one.md": page, "given.txt": "given\n" });
  const { states } = await recordHistory([tutorial.page("1-one.md")], { root: tutorial.folder });
  expect(states.at(-1)?.files.get("given.txt")?.text).toBe("given\n");
});
