import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { editPage } from "./edit-page.ts";

const pageOf = (body: string, front = "") =>
  `---\ntitle: T\nproject: p\n${front}---\n\n${body}`.replaceAll("~~~", "```");
const files = {
  "1-a.md": pageOf("## Begin\n\n`a.txt`\n\n~~~text file\none\ntwo\nthree\n~~~\n\n## Then\n"),
  "2-b.md": pageOf(
    "## Go on\n\n`a.txt`\n\n~~~diff\n--- a/a.txt\n+++ b/a.txt\n@@ -2,2 +2,2 @@\n two\n-three\n+THREE\n~~~\n",
    "start: page 1\n",
  ),
  "p/a.txt": "one\ntwo\nTHREE\n",
};

let root: string;
const at = (file: string) => join(root, "tutorials/01-a", file);
const edited = () => join(root, ".operator-path/edit/01-a-1@begin/p/a.txt");
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "edit-page-"));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(at(file)), { recursive: true });
    await writeFile(at(file), text);
  }
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function run(name: string, save = false) {
  const said: string[] = [];
  const { signal } = new AbortController();
  const status = await editPage(name, { root, cwd: root, signal, save, say: (line) => void said.push(line) });
  return { status, said };
}

test("opens the project after a step, and saves a change into the pages and the committed project", async () => {
  expect(await run("01-a/1@begin")).toMatchObject({ status: 0 });
  expect(await readFile(edited(), "utf8")).toBe("one\ntwo\nthree\n");
  await expect(run("01-a/1@begin")).rejects.toThrow("already exists: save it with --save");
  await writeFile(edited(), "uno\ntwo\nthree\n");
  expect(await run("01-a/1@begin", true)).toMatchObject({ status: 0 });
  expect(await readFile(at("1-a.md"), "utf8")).toBe(files["1-a.md"].replace("one", "uno"));
  expect(await readFile(at("2-b.md"), "utf8")).toBe(files["2-b.md"]);
  expect(await readFile(at("p/a.txt"), "utf8")).toBe("uno\ntwo\nTHREE\n");
  await expect(run("01-a/1@begin", true)).rejects.toThrow("first run the command without --save");
});

test("lists a conflict and a new file, and keeps the folder and the committed file", async () => {
  await run("01-a/1@begin");
  await writeFile(edited(), "one\ntwo\ndrei\n");
  await writeFile(join(dirname(edited()), "b.txt"), "");
  const { status, said } = await run("01-a/1@begin", true);
  expect(status).toBe(1);
  expect(said.filter((line) => line.startsWith("left to do"))).toEqual([
    "left to do: b.txt is new: add a block for it",
    "left to do: tutorials/01-a/2-b.md:11: a.txt: the change conflicts with this block: correct it and the blocks of the file below it",
  ]);
  expect(await readFile(edited(), "utf8")).toBe("one\ntwo\ndrei\n");
  expect(await readFile(at("p/a.txt"), "utf8")).toBe(files["p/a.txt"]);
});

test("rejects a page that has changed since the folder was made, and a name without a step", async () => {
  await run("01-a/1@begin");
  await writeFile(edited(), "uno\ntwo\nthree\n");
  await writeFile(at("1-a.md"), files["1-a.md"].replace("one", "1"));
  await expect(run("01-a/1@begin", true)).rejects.toThrow("the page has changed since this folder was made");
  await expect(run("01-a/1")).rejects.toThrow("01-a/1 is not a step: name one, such as 01-a/1@begin");
});
