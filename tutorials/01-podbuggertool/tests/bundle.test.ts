import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { versions } from "./testing/versions.ts";

// The image holds one file. What the libraries take types from must not come along: what a KubeConfig of
// @kubernetes/client-node needs of it would be 3 MB.

test.each(versions)("%s: less than 1.5 MB, and nothing of client-node", async (_, __, name) => {
  const out = mkdtempSync(join(tmpdir(), "bundle-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const folder = join(import.meta.dirname, "..", name);
  const file = join(out, "main.js");
  const args = ["--bundle", "--platform=node", "--format=esm", "--conditions=@operator-path/source"];
  const esbuild = join(folder, "node_modules/.bin/esbuild");
  const to = [`--outfile=${file}`, `--metafile=${file}.json`];
  await promisify(execFile)(esbuild, ["src/main.ts", ...args, ...to], { cwd: folder });
  expect(statSync(file).size).toBeLessThan(1_500_000);
  const { inputs } = JSON.parse(readFileSync(`${file}.json`, "utf8")) as { inputs: object };
  expect(Object.keys(inputs).filter((path) => path.includes("client-node"))).toEqual([]);
});
