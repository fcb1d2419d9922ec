import { constants } from "node:fs";
import { access, glob, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { readKindConfig } from "@operator-path/kind/config";
import { execa } from "execa";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const names = ["kind-up", "kind-down", "kind-load", "verify", "doctor"];
const tutorials = (await Array.fromAsync(glob("tutorials/*/package.json", { cwd: root })))
  .map(dirname)
  .sort();
const [first = ""] = tutorials;

test("there are five tutorials", () => {
  expect(tutorials.map((tutorial) => basename(tutorial).slice(0, 2))).toEqual(["01", "02", "03", "04", "05"]);
});

describe.each(tutorials)("%s", (tutorial) => {
  const read = (path: string) => readFile(join(root, tutorial, path), "utf8");

  test("has a cluster of a control plane and a worker", async () => {
    const { nodes } = await readKindConfig(join(root, tutorial, "kind-cluster.yaml"));
    expect(nodes?.map(({ role }) => role)).toEqual(["control-plane", "worker"]);
  });

  test.each(names)("has the script %s, for itself, and a package script that runs it", async (name) => {
    await access(join(root, tutorial, "scripts", name), constants.X_OK);
    const ofFirst = await readFile(join(root, first, "scripts", name), "utf8");
    expect(await read(`scripts/${name}`)).toBe(ofFirst.replaceAll(basename(first), basename(tutorial)));
    const { scripts } = JSON.parse(await read("package.json"));
    const byPnpm = name === "verify" ? `pnpm -w verify ${basename(tutorial)}` : `scripts/${name}`;
    expect(scripts[name]).toBe(byPnpm);
  });
});

// The other tutorials' are the same, but for the name. kind-scripts.test.ts starts the other scripts.
test("the script doctor starts, wherever it is started from", async () => {
  const { stdout } = await execa(join(root, first, "scripts/doctor"), ["--help"], { cwd: tmpdir() });
  expect(stdout).toMatch(/^Usage: .*\bdoctor\b/);
});
