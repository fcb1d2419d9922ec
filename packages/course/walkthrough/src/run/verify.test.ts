import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryTutorial } from "../testing/temporary-tutorial.ts";
import { verifyPages } from "./verify.ts";

const page = (commands: string, front = ""): string =>
  `---\ntitle: T\n${front}---\n\n## S\n\n~~~console\n${commands}\n~~~\n`;

/** Waits, in a page, until a file is there. */
const until = (file: string): string => `$ until [ -e "$TUTORIAL/../${file}" ]; do sleep 0.05; done`;

test("pages run side by side, and their reports come in the order of the pages", async () => {
  // Each waits for the other: one after another neither would end.
  using tutorial = temporaryTutorial({
    "1-a.md": page(`$ touch "$TUTORIAL/../a"\n${until("b")}`),
    "2-b.md": page(`$ touch "$TUTORIAL/../b"\n${until("a")}\n$ true\n$ true`),
  });
  const paths = ["1-a.md", "2-b.md"].map((name) => join(tutorial.folder, name));
  const told: string[] = [];
  const reports = await verifyPages(paths, {
    ...{ root: tutorial.folder, parent: join(tutorial.folder, "../runs"), jobs: 2 },
    reporter: (path) => ({ pageFinished: (report) => void told.push(`${path === report.page}`) }),
  });
  expect(reports.map(({ page, passed }) => [page.replace(/.*\//, ""), passed])).toEqual([
    ["1-a.md", true],
    ["2-b.md", true],
  ]);
  expect(told).toEqual(["true", "true"]);
  expect(tutorial.left()).toEqual([]);
});

test("when a run cannot begin, the others are stopped, nothing of them is left, and no other begins", async () => {
  using tutorial = temporaryTutorial({
    "1-long.md": page('$ touch "$TUTORIAL/../begun"; sleep 1000\n$ true\n$ true'),
    "2-next.md": page('$ touch "$TUTORIAL/../next"'),
    "3-wrong.md": page(`$ true\n$ true\n${"$ true\n".repeat(3)}`, "requires: [kubectl]\n"),
    "kind-cluster.yaml": "kind: Nonsense\n",
  });
  const runs = join(tutorial.folder, "../runs");
  const pages = readdirSync(tutorial.folder).filter((name) => name.endsWith(".md"));
  const paths = pages.map((name) => join(tutorial.folder, name));
  await expect(verifyPages(paths, { root: tutorial.folder, parent: runs, jobs: 2 })).rejects.toThrow(
    "kind-cluster.yaml",
  );
  expect(existsSync(join(tutorial.folder, "../next"))).toBe(false);
  expect(tutorial.left()).toEqual([]);
});

test("what the commands of a page make for the next one is made once, for its own closure and for the next", async () => {
  const made = '$ mkdir p && echo hello > p/made.txt; echo made >> "$TUTORIAL/../count"';
  using tutorial = temporaryTutorial({
    "1-first.md": `---\ntitle: One\nproject: p\nstart: nothing\n---\n\n## S\n\n~~~console replay\n${made}\n~~~\n`,
    "2-second.md": page("$ cat made.txt\nhello\n$ chmod 600 made.txt", "project: p\nstart: page 1\n"),
    "p/made.txt": "hello\n",
  });
  const paths = ["1-first.md", "2-second.md"].map((name) => join(tutorial.folder, name));
  const o = { root: tutorial.folder, parent: join(tutorial.folder, "../runs") };
  const reports = await verifyPages(paths, { ...o, jobs: 2 });
  expect(reports.map(({ passed, difference }) => [passed, difference])).toEqual([
    [true, undefined],
    [true, undefined],
  ]);
  // By the page itself, and once more for everything else.
  expect(readFileSync(join(tutorial.folder, "../count"), "utf8")).toBe("made\nmade\n");
  expect(tutorial.left()).toEqual([]);
});
