import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { benchInformers, type InformersBenchOptions } from "./informers.ts";

const options = (over: Partial<InformersBenchOptions>): InformersBenchOptions => ({
  runs: 1,
  only: ["floor"],
  quick: true,
  write: undefined,
  env: process.env,
  print: () => {},
  signal: new AbortController().signal,
  ...over,
});

test("measures the chosen subjects, prints tables, and writes them with a plot", {
  timeout: 600_000,
}, async () => {
  const write = await mkdtemp(join(tmpdir(), "bench-"));
  const lines: string[] = [];
  await benchInformers(options({ write, print: (line) => lines.push(line) }));
  const text = lines.join("\n");
  expect(text).toMatch(/\| Initial sync of 1,000 Pods +\| wall ms/);
  expect(text).toMatch(/\| floor: lines split, no informer +\| +\d+ \|/);
  expect((await readdir(write)).sort()).toEqual(["informers.json", "informers.md", "informers.svg"]);
  await rm(write, { recursive: true });
});

test("--quick compares with no targets and says so; its progress has units", {
  timeout: 600_000,
}, async () => {
  const lines: string[] = [];
  await benchInformers(options({ only: ["parsed"], print: (line) => lines.push(line) }));
  const text = lines.join("\n");
  expect(text).toMatch(
    / parsed sync 1000 pods +wall ms \d+, CPU ms \d+, peak RSS MB \d+, longest stall ms \d+ {2}\(/,
  );
  expect(text).toContain("--quick: too few objects for a comparison with the targets");
  expect(text).not.toMatch(/MISSED|aim|Where the time of/);
});

test("names an unknown subject", async () => {
  await expect(benchInformers(options({ only: ["lasy"] }))).rejects.toThrow(
    "unknown subject lasy (expected one of parsed, ",
  );
});

test("stops when its signal aborts", async () => {
  const stopped = AbortSignal.abort(new Error("stopped"));
  await expect(benchInformers(options({ signal: stopped }))).rejects.toThrow("stopped");
});
