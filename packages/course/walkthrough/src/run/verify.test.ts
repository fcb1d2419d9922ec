import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryTutorial } from "../testing/temporary-tutorial.ts";
import { verifyPages } from "./verify.ts";

const page = (commands: string, front = ""): string =>
  `---\ntitle: T\n${front}---\n\n## S\n\n~~~console\n${commands}\n~~~\n`;

/** A command of a page that waits for a file. */
const until = (file: string): string => `$ until [ -e "$TUTORIAL/../${file}" ]; do sleep 0.05; done`;

test("runs pages side by side, and returns their reports in order", async () => {
  // Each page waits for the other, so one after another would not end.
  using tutorial = temporaryTutorial({
    "1-a.md": page(`$ touch "$TUTORIAL/../a"\n${until("b")}`),
    "2-b.md": page(`$ touch "$TUTORIAL/../b"\n${until("a")}\n$ true\n$ true`),
  });
  const paths = ["1-a.md", "2-b.md"].map((name) => join(tutorial.folder, name));
  const finished: string[] = [];
  const reports = await verifyPages(paths, {
    ...{ root: tutorial.folder, parent: join(tutorial.folder, "../runs"), jobs: 2 },
    reporter: (path) => ({ pageFinished: (report) => void finished.push(`${path === report.page}`) }),
  });
  expect(reports.map(({ page, passed }) => [page.replace(/.*\//, ""), passed])).toEqual([
    ["1-a.md", true],
    ["2-b.md", true],
  ]);
  expect(finished).toEqual(["true", "true"]);
  expect(tutorial.left()).toEqual([]);
});

test("side by side, begins with the first page and then the longest ones", async () => {
  using tutorial = temporaryTutorial({
    "1-a.md": page("$ true"),
    "2-b.md": page("$ true\n$ true", "minutes: 5\n"),
    "3-c.md": page("$ true\n$ true\n$ true", "minutes: 5\n"),
    "4-d.md": page("$ true", "minutes: 10\n"),
  });
  const paths = ["1-a.md", "2-b.md", "3-c.md", "4-d.md"].map((name) => join(tutorial.folder, name));
  const begun: string[] = [];
  await verifyPages(paths, {
    ...{ root: tutorial.folder, parent: join(tutorial.folder, "../runs"), jobs: 2 },
    reporter: (path) => ({ pageStarted: () => void begun.push(path.replace(/.*\//, "")) }),
  });
  expect(begun).toEqual(["1-a.md", "4-d.md", "3-c.md", "2-b.md"]);
});

test("stops the other runs and begins no more if one cannot begin", async () => {
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

test("replays the commands of a page once, for its closure check and for the next page", async () => {
  const made = '$ mkdir p && echo hello > p/made.txt; echo made >> "$TUTORIAL/../count"';
  using tutorial = temporaryTutorial({
    "1-first.md": `---\ntitle: One\nproject: p\nstart: nothing\n---\n\n## S\n\n~~~console replay\n${made}\n~~~\n`,
    "2-second.md": page("$ cat made.txt\nhello\n$ chmod 600 made.txt", "project: p\nstart: page 1\n"),
    "p/made.txt": "hello\n",
  });
  const paths = ["1-first.md", "2-second.md"].map((name) => join(tutorial.folder, name));
  const options = { root: tutorial.folder, parent: join(tutorial.folder, "../runs") };
  const reports = await verifyPages(paths, { ...options, jobs: 2 });
  expect(reports.map(({ passed, difference }) => [passed, difference])).toEqual([
    [true, undefined],
    [true, undefined],
  ]);
  // Once by the page itself, and once as a replay.
  expect(readFileSync(join(tutorial.folder, "../count"), "utf8")).toBe("made\nmade\n");
  expect(tutorial.left()).toEqual([]);
});
