import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { benchReconcile } from "./reconcile.ts";

test("our operator settles on the embedded cluster with exactly the necessary writes, and a report is written", {
  timeout: 600_000,
}, async () => {
  const write = await mkdtemp(join(tmpdir(), "bench-"));
  const lines: string[] = [];
  await benchReconcile({
    ...{ runs: 1, only: ["embedded"], quick: true, long: false, write, env: process.env },
    ...{ print: (line) => lines.push(line), signal: new AbortController().signal },
  });
  const text = lines.join("\n");
  expect(text).toMatch(/ours, embedded, 50 objects, 1 worker .*; writes 150; in vain 0;/);
  expect(text).toContain("--quick: too few objects for a comparison with the targets");
  expect((await readdir(write)).sort()).toEqual(["reconcile.json", "reconcile.md", "reconcile.svg"]);
  await rm(write, { recursive: true });
});

test("stops when its signal aborts", async () => {
  const signal = AbortSignal.abort(new Error("stopped"));
  const options = {
    runs: 1,
    only: ["embedded"],
    quick: true,
    long: false,
    write: undefined,
    env: process.env,
  };
  await expect(benchReconcile({ ...options, print: () => {}, signal })).rejects.toThrow("stopped");
});
