import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { usualSizes } from "../plan.ts";
import { updateReadme } from "./readme.ts";
import { createResults } from "./results.ts";

test("replaces the figures between the comments of a README, and nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "readme-"));
  const file = join(folder, "README.md");
  const results = createResults();
  const task = { measure: "sync", resource: "pods", objects: 10_000, events: 0, subject: "lazy" } as const;
  results.add(0, task, { wall: 123.4, cpu: 1, peakRss: 2 ** 20, stall: 1 });
  const update = (header: string) =>
    updateReadme(file, results, usualSizes, { header: [header], targets: ["none"] });
  expect(await update("no file")).toBe(false);
  await writeFile(
    file,
    "before\n<!-- pnpm bench informers: begin -->\n<!-- pnpm bench informers: end -->\nafter\n",
  );
  expect(await update("first machine")).toBe(true);
  expect(await update("second machine")).toBe(true);
  const text = await readFile(file, "utf8");
  expect(text).toMatch(/^before\n<!-- .* begin -->\n!\[.*\n\nsecond machine\n/);
  expect(text).toMatch(/\| Sync of 10,000 Pods, ms +\| +123 \| +– \|/);
  expect(text).toMatch(/end -->\nafter\n$/);
  expect(text).not.toContain("first machine");
  await rm(folder, { recursive: true });
});
