import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packPackages, referenceTo } from "@operator-path/operator-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthorFolder, openAuthorFolder } from "./author.ts";

/** What an operator installs that needs controller-runtime alone, and copying files to and from Pods beside it. */
const root = join(import.meta.dirname, "../..");
const copy = `import { copyFromPod } from "@operator-path/client/cp";
import { createClient, KubeConfig } from "@operator-path/client";
const kubeConfig = new KubeConfig();
kubeConfig.loadFromClusterAndUser({ name: "c", server: "http://127.0.0.1:1" }, { name: "u" });
const client = createClient(kubeConfig);
await copyFromPod(client, { namespace: "default", name: "p" }, "/a", "b").catch((error) => console.log(error.name, error.message));
`;
/** Prints how many files of ours and of other packages were loaded. Each costs about half a millisecond. */
const manager = `import { registerHooks } from "node:module";
let ours = 0;
let others = 0;
registerHooks({
  load(url, context, next) {
    if (url.includes("/node_modules/@operator-path/")) ours++;
    else if (url.includes("/node_modules/")) others++;
    return next(url, context);
  },
});
const { createManager } = await import("@operator-path/controller-runtime");
const { KubeConfig } = await import("@operator-path/client");
const kubeConfig = new KubeConfig();
kubeConfig.loadFromClusterAndUser({ name: "c", server: "http://127.0.0.1:1" }, { name: "u" });
createManager(kubeConfig);
console.log(ours, others);
`;

let author: AuthorFolder;
beforeAll(async () => {
  author = await openAuthorFolder();
  const packed = await packPackages({ root, names: ["@operator-path/controller-runtime"] });
  await writeFile(join(author.folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await author.run(`npm install ${packed.map((found) => referenceTo(found, author.folder)).join(" ")}`);
  await writeFile(join(author.folder, "copy.mjs"), copy);
});
afterAll(() => author?.[Symbol.asyncDispose]());

async function installed(): Promise<{ packages: number; megabytes: number }> {
  const lines = await author.run("npm ls --all --parseable");
  const modules = join(author.folder, "node_modules");
  const files = (await readdir(modules, { recursive: true, withFileTypes: true })).filter((it) =>
    it.isFile(),
  );
  const sizes = await Promise.all(files.map((it) => stat(join(it.parentPath, it.name))));
  return {
    // The first one is the folder itself.
    packages: new Set(lines.split("\n")).size - 1,
    megabytes: sizes.reduce((sum, { size }) => sum + size, 0) / 1e6,
  };
}

test("an operator has at most 30 packages of together 20 MB", async () => {
  const { packages, megabytes } = await installed();
  expect(packages).toBeLessThanOrEqual(30);
  expect(megabytes).toBeLessThanOrEqual(20);
});

test("Node loads at most 15 files of ours, and 125 of others, to create a manager", async () => {
  await writeFile(join(author.folder, "manager.mjs"), manager);
  const [ours, others] = (await author.run("node manager.mjs")).split(" ").map(Number);
  expect(ours).toBeLessThanOrEqual(15);
  expect(others).toBeLessThanOrEqual(125);
});

test("copying files says which package it needs, and works with that one more", async () => {
  expect(await author.run("node copy.mjs")).toBe(
    "CopyError copying files needs the npm package modern-tar: npm install modern-tar",
  );
  const before = await installed();
  await author.run("npm install modern-tar");
  expect((await installed()).packages).toBe(before.packages + 1);
  // The tar of the container is what it asks for now.
  expect(await author.run("node copy.mjs")).toMatch(
    /^RequestError GET .*\/pods\/p\/exec: connect ECONNREFUSED/,
  );
});
