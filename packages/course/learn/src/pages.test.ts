import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choosePages, shortPath } from "./pages.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "pages-"));
  for (const file of [
    "01-one/1-first.md",
    "01-one/2-second.md",
    "01-one/10-tenth.md",
    "02-two/README.md",
    "03-none/notes.txt",
  ]) {
    await mkdir(join(root, "tutorials", file, ".."), { recursive: true });
    await writeFile(join(root, "tutorials", file), "");
  }
});
afterAll(() => rm(root, { recursive: true }));
const names = async (...wanted: string[]): Promise<string[]> =>
  (await choosePages(wanted, root, root)).map(({ name }) => name);

describe("choosePages", () => {
  it("returns all pages in reading order without names", async () => {
    expect(await names()).toEqual(["01-one/1", "01-one/2", "01-one/10", "02-two"]);
  });

  it.each([
    ["01-one", ["01-one/1", "01-one/2", "01-one/10"]],
    ["01-one/1", ["01-one/1"]],
    ["01-one/2-second", ["01-one/2"]],
    ["01-one/2-second.md", ["01-one/2"]],
    ["tutorials/01-one/2-second.md", ["01-one/2"]],
    ["./tutorials/02-two/", ["02-two"]],
    ["02-two/README.md", ["02-two"]],
    ["1", ["01-one/1", "01-one/2", "01-one/10"]],
    ["1/10", ["01-one/10"]],
    ["two", ["02-two"]],
    ["one/2", ["01-one/2"]],
  ])("understands %s", async (name, expected) => {
    expect(await names(name)).toEqual(expected);
    expect(await names(name, name)).toEqual(expected);
  });

  it("understands absolute paths, and names in any order", async () => {
    expect(await names("02-two", join(root, "tutorials/01-one/1-first.md"))).toEqual(["01-one/1", "02-two"]);
  });

  it("accepts a Markdown file outside of the tutorials, after the others", async () => {
    await writeFile(join(root, "draft.md"), "");
    expect(await names("draft.md", "02-two")).toEqual(["02-two", "draft.md"]);
    await expect(names("drafts.md")).rejects.toThrow("there is no page drafts.md");
  });

  it.each([
    ["01-on/7", "did you mean 01-one? There are 01-one/1, 01-one/2, 01-one/10"],
    ["twoo", "did you mean 02-two? There are 02-two"],
    ["4", "there are 01-one/1, 01-one/2, 01-one/10, 02-two"],
    ["kubernetes", "there are 01-one/1, 01-one/2, 01-one/10, 02-two"],
    ["0", "there are 01-one/1"],
  ])("suggests a name for the unknown page %s", async (name, suggestion) => {
    await expect(names("01-one", name)).rejects.toThrow(`there is no page ${name}`);
    await expect(names(name)).rejects.toThrow(suggestion);
  });

  it("rejects a part of several names", async () => {
    await expect(names("o")).rejects.toThrow("o is a part of several names: 01-one, 02-two");
  });
});

it.each([
  ["/work/p/src/a.ts", "src/a.ts"],
  ["/work/p", "p"],
  ["/work/exercises/a.ts", "../exercises/a.ts"],
  ["/work", "/work"],
  ["/other/a.ts", "/other/a.ts"],
])("names %s in /work/p as %s", (path, short) => expect(shortPath(path, "/work/p")).toBe(short));
