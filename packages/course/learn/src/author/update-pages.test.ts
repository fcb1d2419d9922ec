import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { updatePages } from "./update-pages.ts";

const pageOf = (body: string, front = "") =>
  `---\ntitle: T\nproject: p\n${front}---\n\n${body}`.replaceAll("~~~", "```");
const files = {
  "1-a.md": pageOf("## Begin\n\n`a.txt`\n\n~~~text file\none\ntwo\nthree\n~~~\n"),
  "2-b.md": pageOf("## Go on\n\n`a.txt`\n\n~~~diff\n two\n-three\n+THREE\n~~~\n", "start: page 1\n"),
  "p/a.txt": "one\ntwo\nTHREE\n",
};
const numbered = files["2-b.md"].replace("diff\n", "diff\n--- a/a.txt\n+++ b/a.txt\n@@ -2,2 +2,2 @@\n");

let root: string;
const at = (file: string) => join(root, "tutorials/01-a", file);
const read = (file: string) => readFile(at(file), "utf8");
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "update-pages-"));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(at(file)), { recursive: true });
    await writeFile(at(file), text);
  }
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function run(save: boolean, name = "01-a") {
  const said: string[] = [];
  const { signal } = new AbortController();
  const say = (line: string) => void said.push(line);
  const status = await updatePages([name], { root, cwd: root, signal, save, say });
  return { status, said: said.join("\n") };
}

test("writes the headers of a diff, and then has nothing to do", async () => {
  const shown = await run(false);
  expect(shown.status).toBe(1);
  expect(shown.said).toContain("+++ b/tutorials/01-a/2-b.md");
  expect(shown.said).toContain("++++ b/a.txt\n+@@ -2,2 +2,2 @@\n");
  expect(await read("2-b.md")).toBe(files["2-b.md"]);
  expect((await run(true)).status).toBe(0);
  expect(await read("2-b.md")).toBe(numbered);
  expect(await run(false)).toEqual({ status: 0, said: "The pages already produce the committed projects." });
});

test("follows a change of the committed project to both pages", async () => {
  await writeFile(at("p/a.txt"), "one\nTWO\nTHREE\n");
  expect((await run(true, "01-a/2")).status).toBe(0);
  expect(await read("1-a.md")).toBe(files["1-a.md"].replace("two", "TWO"));
  expect(await read("2-b.md")).toBe(numbered.replace(" two", " TWO"));
});

test("makes a project that is missing", async () => {
  await rm(at("p"), { recursive: true });
  expect((await run(true)).status).toBe(0);
  expect(await read("p/a.txt")).toBe(files["p/a.txt"]);
});

test("corrects the numbers after lines were added by hand above an edit", async () => {
  await writeFile(at("1-a.md"), files["1-a.md"].replace("one\n", "zero\none\n"));
  await writeFile(at("2-b.md"), numbered);
  await writeFile(at("p/a.txt"), "zero\none\ntwo\nTHREE\n");
  expect((await run(true)).status).toBe(0);
  expect(await read("2-b.md")).toBe(numbered.replace("-2,2 +2,2", "-3,2 +3,2"));
});

test("names both steps of an unclear change, and leaves the blocks of that file", async () => {
  await writeFile(at("p/a.txt"), "one\ntwo\nnew\nTHREE\n");
  const { status, said } = await run(true);
  expect(status).toBe(1);
  expect(said).toBe(
    "left to do: a.txt:3: this change could be in several blocks: make it with `pnpm learn edit-page` in 01-a/1@begin or 01-a/2@go-on",
  );
  expect(await read("1-a.md")).toBe(files["1-a.md"]);
});

test("reports a page whose edit does not apply in one line", async () => {
  await writeFile(at("2-b.md"), numbered.replace(" two", " tow"));
  await expect(run(false)).rejects.toThrow("2-b.md:15: the edit of p/a.txt does not apply");
});
