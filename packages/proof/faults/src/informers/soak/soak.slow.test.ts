import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { soak } from "./soak.ts";

test("a soak of a few seconds finds no problem, and writes its report", async () => {
  const report = await mkdtemp(join(tmpdir(), "soak-"));
  onTestFinished(() => rm(report, { recursive: true }));
  const lines: string[] = [];
  const options = { objects: 60, writesPerSecond: 50, seed: "1", calm: false, silence: 2_000, report };
  const intervals = { minutes: 3 / 60, sampleEvery: 500, checkEvery: 2 };
  const command = "pnpm proof faults --soak";
  const { wrong, checks, writes, samples } = await soak({ ...options, ...intervals, command }, (line) =>
    lines.push(line),
  );
  expect(wrong).toEqual([]);
  expect(writes).toBeGreaterThan(0);
  expect(samples.length).toBeGreaterThan(2);
  expect(checks.at(-1)).toMatchObject({ deep: true });
  expect(lines.at(-1)).toMatch(/objects equal in every field .*no problem$/);
  expect(await readdir(report)).toEqual(["soak.md", "soak.svg"]);
  expect(await readFile(join(report, "soak.md"), "utf8")).toContain("**Passed.**");
});
