import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listPages } from "../pages.ts";
import { repositoryRoot } from "../repository.ts";
import { checkTexts } from "../text.ts";
import { newPage } from "./new-page.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "new-page-"));
  await mkdir(join(root, "tutorials/01-first"), { recursive: true });
  await writeFile(join(root, "tutorials/01-first/1-begin.md"), "---\ntitle: Begin\n---\n");
  await cp(
    join(repositoryRoot, "packages/sdk/client/package.json"),
    join(root, "packages/sdk/client/package.json"),
  );
});
afterEach(() => rm(root, { recursive: true, force: true }));

test("writes the next page, with a claims file, and its text has no problem", async () => {
  const files = await newPage("01-first", "A Map of Settings", root);
  expect(files).toEqual(
    ["2-a-map-of-settings.md", "claims/2-a-map-of-settings.yaml"].map((file) =>
      join(root, "tutorials/01-first", file),
    ),
  );
  const pages = await listPages(root);
  expect(pages.map(({ name }) => name)).toEqual(["01-first/1", "01-first/2"]);
  expect(checkTexts(pages.slice(1), { root })).toEqual([]);
});

test.each([
  ["a-config-map", "2-a-config-map.md", "title: A config map"],
  ["5-later", "5-later.md", "title: Later"],
  ["Later: a title", "2-later-a-title.md", 'title: "Later: a title"'],
])("makes a title and a file of %j", async (name, file, title) => {
  const [path = ""] = await newPage("1", name, root);
  expect(path).toBe(join(root, "tutorials/01-first", file));
  expect(await readFile(path, "utf8")).toContain(`${title}\n`);
  expect(checkTexts([{ name: "01-first/2", path }], { root })).toEqual([]);
});

test.each([
  ["01-first", "begin", "01-first already has the page 1-begin.md"],
  ["01-first", "1-other", "01-first already has the page 1-begin.md"],
  ["01-fist", "a", "there is no tutorial 01-fist: did you mean 01-first?"],
  ["01-first", "7-", "is not a valid page name"],
])("rejects %s %s, and writes nothing", async (tutorial, name, message) => {
  await expect(newPage(tutorial, name, root)).rejects.toThrow(message);
  expect((await listPages(root)).map((page) => page.name)).toEqual(["01-first/1"]);
});
