import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFiles } from "./files.ts";
import { testLearner } from "./testing/learner.ts";

function open() {
  const { folder, project } = testLearner();
  writeFileSync(join(folder, "secret"), "s3cret");
  return { folder, project, files: openFiles(project) };
}

test("writes, lists and reads files, and makes folders", async () => {
  const { files, project } = open();
  const written = await files.write("src/a/b.ts", "b;\n");
  expect(await files.read("src/a/b.ts")).toEqual(written);
  mkdirSync(join(project, "node_modules"));
  writeFileSync(join(project, "node_modules/x.js"), "");
  expect(files.list()).toEqual(["src/a/b.ts"]);
  expect(await files.read("src/missing.ts")).toBeUndefined();
});

test("keeps a text that changed on disk since the writer read it", async () => {
  const { files, project } = open();
  const { version } = await files.write("a.ts", "one");
  writeFileSync(join(project, "a.ts"), "mine");
  await expect(files.write("a.ts", "two", version)).rejects.toMatchObject({ status: 409 });
  expect(readFileSync(join(project, "a.ts"), "utf8")).toBe("mine");
  await expect(files.write("new.ts", "x", version)).rejects.toMatchObject({ status: 409 });
  await files.write("new.ts", "x", "none");
});

test("keeps the mode of a file", async () => {
  const { files, project } = open();
  writeFileSync(join(project, "run.sh"), "a", { mode: 0o755 });
  await files.write("run.sh", "b");
  expect(statSync(join(project, "run.sh")).mode & 0o777).toBe(0o755);
});

test.each([
  ...["../secret", "a/../../secret", "..", ".", "", "/etc/passwd", "a//b", "./a", "a/", "..\\secret", "a\0b"],
  ...[
    "C:secret",
    "a.ts::$DATA",
    "node_modules/x.js",
    ".git/hooks/pre-commit",
    ".GIT/config",
    "x".repeat(501),
  ],
])("refuses the path %j", async (path) => {
  const { files, folder } = open();
  await expect(files.read(path)).rejects.toMatchObject({ status: 403 });
  await expect(files.write(path, "changed")).rejects.toMatchObject({ status: 403 });
  expect(readFileSync(join(folder, "secret"), "utf8")).toBe("s3cret");
});

test.each([
  ["a file outside", "../secret", "link"],
  ["a folder outside", "..", "link/secret"],
  ["a missing file outside", "../new", "link"],
  ["a file inside", "own.ts", "link"],
  ["itself", "link", "link"],
])("refuses a link to %s", async (_what, target, path) => {
  const { files, folder, project } = open();
  writeFileSync(join(project, "own.ts"), "own");
  symlinkSync(target, join(project, "link"));
  await expect(files.read(path)).rejects.toMatchObject({ status: 403 });
  await expect(files.write(path, "changed")).rejects.toMatchObject({ status: 403 });
  expect(readFileSync(join(folder, "secret"), "utf8")).toBe("s3cret");
  expect(existsSync(join(folder, "new"))).toBe(false);
});

test("reads no folder, and no large file", async () => {
  const { files, project } = open();
  mkdirSync(join(project, "src"));
  await expect(files.read("src")).rejects.toMatchObject({ status: 403 });
  writeFileSync(join(project, "large"), "x".repeat(1_000_001));
  await expect(files.read("large")).rejects.toMatchObject({ status: 413 });
  await expect(files.write("large", "x".repeat(1_000_001))).rejects.toMatchObject({ status: 413 });
});

test("opens a folder that does not exist yet, and sees a change on disk", async () => {
  const { files, project } = open();
  rmSync(project, { recursive: true });
  expect(files.list()).toEqual([]);
  expect(await files.read("a.ts")).toBeUndefined();
  const changes: string[] = [];
  onTestFinished(await files.watch((path) => changes.push(path)));
  await files.write("src/a.ts", "a");
  await expect.poll(() => changes).toContain("src/a.ts");
});
