import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readFinished } from "./finished-steps.ts";

it.each([
  ["is no JSON", '{"version": 1, "tour'],
  ["is of a newer version", '{"version": 2, "steps": []}'],
])("moves progress.json aside if it %s", async (_why, content) => {
  const folder = await mkdtemp(join(tmpdir(), "finished-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "progress.json"), content);
  expect(await readFinished(folder)).toEqual({
    finished: { version: 1, tour: false, pages: {} },
    warning: expect.stringContaining(join(folder, "progress.json.unreadable")),
  });
  expect(await readdir(folder)).toEqual(["progress.json.unreadable"]);
});
