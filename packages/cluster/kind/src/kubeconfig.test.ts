import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { kubeconfigPathFor, removeEmptyKubeconfig } from "./kubeconfig.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kubeconfig-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("is where kubectl would write: the first of KUBECONFIG that exists, or its last, or the home's", async () => {
  const [first, second, third] = ["a", "b", "c"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const env = { HOME: folder, KUBECONFIG: `${first}:${second}::${third}` };
  expect(kubeconfigPathFor("/x/y", env)).toBe("/x/y");
  expect(kubeconfigPathFor(undefined, env)).toBe(third);
  await writeFile(second, "");
  expect(kubeconfigPathFor(undefined, env)).toBe(second);
  expect(kubeconfigPathFor(undefined, { HOME: folder })).toBe(join(folder, ".kube/config"));
});

it.each([
  ["removes what kind leaves behind", "apiVersion: v1\nkind: Config\n", []],
  [
    "removes one of empty lists",
    "apiVersion: v1\nkind: Config\nclusters: []\ncontexts: null\nusers: []\npreferences: {}\ncurrent-context: ''\n",
    [],
  ],
  [
    "keeps one with somebody else's cluster",
    "apiVersion: v1\nkind: Config\nclusters: [{name: other}]\n",
    ["config"],
  ],
  ["keeps what is no kubeconfig", "{}\n", ["config"]],
  ["keeps what it cannot read", "apiVersion: [\n", ["config"]],
])("%s", async (_name, text, left) => {
  await writeFile(join(folder, "config"), text);
  await removeEmptyKubeconfig(join(folder, "config"));
  expect(await readdir(folder)).toEqual(left);
});
