import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { page as pageOf } from "../testing/double-exercise.ts";
import { temporaryTutorial } from "../testing/temporary-tutorial.ts";
import { followProject } from "./follow-project.ts";
import { readHistory } from "./history.ts";
import { replaceBlocks } from "./rewrite-pages.ts";

const fence = (info: string, text: string) => `\n\`a.ts\`\n\n~~~${info}\n${text}~~~\n`;
const first = "const found = get();\nlog(found);\nend();\n";
const then =
  "--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,4 @@\n const found = get();\n-log(found);\n+if (!found) return;\n+use(found);\n end();\n";
const last = "const found = get();\nif (!found) return;\nuse(found);\nend();\n";
const copied = "--- a/a.ts\n+++ b/a.ts\n@@ -4,1 +4,2 @@\n end();\n+more();\n";
const files = {
  "1-page.md": pageOf(
    `${fence("ts file", first)}${fence("ts", "  // \u2026\n  log(found);\n".replaceAll("  ", ""))}`,
  ),
  "2-page.md": pageOf(fence("diff", then), "start: page 1\n"),
  "3-page.md": pageOf(fence("diff", copied), "start: page 2\n").replace("project: p", "project: copy"),
  "p/a.ts": last,
  "copy/a.ts": `${last}more();\n`,
};

/** Changes the committed file of a project. Returns what differs on the pages and in the projects. */
async function change(edit: (text: string) => string, project = "p") {
  using folder = temporaryTutorial(files);
  const path = join(folder.folder, project, "a.ts");
  writeFileSync(path, edit(readFileSync(path, "utf8")));
  const history = await readHistory(folder.page("1-page.md"), { root: folder.folder });
  const committed = new Map(
    history.ends.map((end) => [end, readFileSync(join(end.committed, "a.ts"), "utf8")]),
  );
  const { replacements, ends, byHand } = followProject(history, "a.ts", committed);
  const pages = replaceBlocks(replacements);
  for (const [page, source] of pages) writeFileSync(page, source);
  if (byHand.length === 0) {
    // The new pages lead to the new projects.
    const after = await readHistory(folder.page("1-page.md"), { root: folder.folder });
    expect(after.ends.map(({ files: all }) => all.get("a.ts"))).toEqual([...ends.values()]);
  }
  return {
    projects: [...ends.values()],
    pages: [...pages.values()].map((source) => source.split("---\n").slice(2).join("---\n")),
    byHand: byHand.map(({ line, message }) => `${line}: ${message}`),
  };
}

test("changes nothing if the pages lead to the projects", async () => {
  expect(await change((text) => text)).toEqual({
    projects: [last, `${last}more();\n`],
    pages: [],
    byHand: [],
  });
});

test("renames a variable on all pages, also in a line that a later page removes", async () => {
  const { pages, projects, byHand } = await change((text) => text.replaceAll("found", "object"));
  expect(projects).toEqual([last, `${last}more();\n`].map((text) => text.replaceAll("found", "object")));
  expect(pages.join("")).not.toContain("found");
  expect(pages[0]).toContain("// \u2026\nlog(object);\n");
  expect(pages[1]).toContain(then.replaceAll("found", "object"));
  expect(byHand).toEqual([]);
});

test("gives a new line to the block of its neighbours, and moves the later hunks", async () => {
  const { pages, projects } = await change((text) => text.replace("use(found)", "check(found);\nuse(found)"));
  expect(projects[1]).toContain("check(found);\nuse(found);\nend();\nmore();\n");
  expect(pages).toHaveLength(2);
  expect(pages[0]).toContain(
    "@@ -1,3 +1,5 @@\n const found = get();\n-log(found);\n+if (!found) return;\n+check(found);\n",
  );
  expect(pages[1]).toContain("@@ -5,1 +5,2 @@\n end();\n+more();\n");
});

test("follows a change of the copy back to the first page", async () => {
  const { pages, projects } = await change((text) => text.replace("end()", "finish()"), "copy");
  expect(projects).toEqual([last, `${last}more();\n`].map((text) => text.replace("end()", "finish()")));
  expect(pages).toHaveLength(3);
});

test("removes a line from all pages", async () => {
  const { pages } = await change((text) => text.replace("if (!found) return;\n", ""));
  expect(pages[0]).toContain("@@ -1,3 +1,3 @@\n const found = get();\n-log(found);\n+use(found);\n end();\n");
});

test("lists an edit that has nothing left to change", async () => {
  const { byHand } = await change((text) => text.replace("more();\n", ""), "copy");
  expect(byHand).toEqual(["11: this edit has nothing left to change: remove it"]);
});

test.each([
  ["a new line between two blocks", (text: string) => text.replace("if", "check();\nif"), "p"],
  [
    "lines of two blocks that become one",
    (text: string) => text.replace("use(found);\nend();", "all();"),
    "p",
  ],
])("refuses %s", async (_, edit, project) => {
  await expect(change(edit, project)).rejects.toThrow("this change could be in several blocks");
});

test("refuses two projects that disagree", async () => {
  using folder = temporaryTutorial(files);
  const history = await readHistory(folder.page("1-page.md"), { root: folder.folder });
  const texts = [last.replace("end", "stop"), `${last.replace("end", "finish")}more();\n`];
  const committed = new Map(history.ends.map((end, i) => [end, texts[i] ?? ""]));
  expect(() => followProject(history, "a.ts", committed)).toThrow("two projects change the same lines");
});
