import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryPage } from "../testing/temporary-page.ts";
import { leakedFiles, watchedFiles } from "./watched-files.ts";

test("watches a tutorial's files at any depth, but no installed, built or linked ones", () => {
  const files = {
    "project/src/kept.ts": "",
    "project/src/removed.ts": "",
    "project/src/changed.ts": "",
    "project/node_modules/package/index.js": "",
    "project/dist/index.js": "",
  };
  using elsewhere = temporaryPage("## S\n", { files: { "deep/file": "" } });
  using tutorial = temporaryPage("## S\n", { files });
  const path = (name: string): string => join(tutorial.folder, name);
  symlinkSync(elsewhere.folder, path("project/node_modules/linked"));
  symlinkSync(elsewhere.folder, path("linked"));
  const before = watchedFiles(tutorial.page);
  rmSync(path("project/src/removed.ts"));
  writeFileSync(path("project/src/changed.ts"), "more");
  writeFileSync(path("project/src/new.ts"), "");
  for (const name of ["project/node_modules/package/more.js", "project/dist/more.js", "linked/deep/more"])
    writeFileSync(path(name), "");
  expect(leakedFiles(before, watchedFiles(tutorial.page))).toEqual([
    `file ${path("project/src/new.ts")}`,
    `changed file ${path("project/src/changed.ts")}`,
    `removed file ${path("project/src/removed.ts")}`,
  ]);
});
