import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { listPages } from "./pages.ts";
import { repositoryRoot } from "./repository.ts";
import { checkTexts, formatTextProblems } from "./text.ts";

test("no page of the path has a statement without a source", async () => {
  const pages = await listPages(repositoryRoot);
  expect(formatTextProblems(checkTexts(pages, { root: repositoryRoot }))).toBe("");
});

let root: string | undefined;
afterEach(() => rm(root ?? "", { recursive: true, force: true }));

test("accepting writes the hashes of a page's texts, and keeps its claims", async () => {
  root = await mkdtemp(join(tmpdir(), "text-"));
  const page = "---\ntitle: T\n---\n## S\n\nSay `hello` twice.\n\n```console\n$ echo hello\nhello\n```\n";
  const claims = "claims:\n  # Why.\n  - words: twice\n    is: { count: hello }\n";
  await cp(
    join(repositoryRoot, "packages/sdk/client/package.json"),
    join(root, "packages/sdk/client/package.json"),
  );
  await cp(
    join(repositoryRoot, "tutorials/01-podbuggertool/kind-cluster.yaml"),
    join(root, "tutorials/01-a/claims/1-a.yaml"),
  );
  await writeFile(join(root, "tutorials/01-a/1-a.md"), page);
  await writeFile(join(root, "tutorials/01-a/claims/1-a.yaml"), claims);
  const check = (accept: boolean) =>
    checkTexts([{ name: "01-a/1", path: join(root ?? "", "tutorials/01-a/1-a.md") }], {
      root: root ?? "",
      accept,
    });
  expect(check(false).map(({ message }) => message)).toEqual([
    expect.stringContaining("this text differs from the accepted one"),
    expect.stringContaining("this text differs from the accepted one"),
  ]);
  expect(check(true)).toEqual([]);
  const [before, texts] = (await readFile(join(root, "tutorials/01-a/claims/1-a.yaml"), "utf8")).split(
    "texts:\n",
  );
  expect(before).toBe(claims);
  expect(texts).toMatch(
    /^ {2}introduction: \|-\n {4}[0-9a-f]{8}\n {2}s: \|-\n {4}[0-9a-f]{8} [0-9a-f]{8}\n$/,
  );
});
