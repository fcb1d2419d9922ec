import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { kubeconfigPathFor, removeOurKubeconfig } from "./kubeconfig.ts";
import { noteAsOurs } from "./ours.ts";

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
])("of those that are ours, %s", async (_name, text, left) => {
  const path = join(folder, "config");
  await writeFile(path, text);
  await noteAsOurs("kubeconfig", path, env());
  await removeOurKubeconfig(path, env());
  expect(await readdir(folder)).toEqual(left.length === 0 ? [] : expect.arrayContaining(left));
});

const empty = "apiVersion: v1\nkind: Config\n";

it("keeps an empty one of somebody else's, one that is a link, and one that is being written", async () => {
  const path = join(folder, "config");
  await writeFile(path, empty);
  await removeOurKubeconfig(path, env());
  expect(existsSync(path)).toBe(true);
  await symlink(path, join(folder, "link"));
  await noteAsOurs("kubeconfig", join(folder, "link"), env());
  await removeOurKubeconfig(join(folder, "link"), env());
  expect(existsSync(join(folder, "link"))).toBe(true);
  await noteAsOurs("kubeconfig", path, env());
  await writeFile(`${path}.lock`, "");
  await removeOurKubeconfig(path, env());
  expect(existsSync(path)).toBe(true);
  expect(existsSync(`${path}.lock`)).toBe(true);
});

function env(): NodeJS.ProcessEnv {
  return { HOME: folder, XDG_STATE_HOME: folder };
}
