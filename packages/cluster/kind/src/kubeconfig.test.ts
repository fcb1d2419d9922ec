import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { kubeconfigPathFor, removeOurKubeconfig } from "./kubeconfig.ts";
import { recordAsOurs } from "./ours.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kubeconfig-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("is where kubectl writes: the first existing file of KUBECONFIG, or its last, or the one in the home", async () => {
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
    "removes one with empty lists",
    "apiVersion: v1\nkind: Config\nclusters: []\ncontexts: null\nusers: []\npreferences: {}\ncurrent-context: ''\n",
    [],
  ],
  [
    "keeps one with a foreign cluster",
    "apiVersion: v1\nkind: Config\nclusters: [{name: other}]\n",
    ["config"],
  ],
  ["keeps a file that is not a kubeconfig", "{}\n", ["config"]],
  ["keeps an unreadable file", "apiVersion: [\n", ["config"]],
])("of our own ones, %s", async (_name, text, left) => {
  const path = join(folder, "config");
  await writeFile(path, text);
  await recordAsOurs("kubeconfig", path, env());
  await removeOurKubeconfig(path, env());
  expect(await readdir(folder)).toEqual(left.length === 0 ? [] : expect.arrayContaining(left));
});

const empty = "apiVersion: v1\nkind: Config\n";

it("keeps a foreign empty one, a link, and a locked one", async () => {
  const path = join(folder, "config");
  await writeFile(path, empty);
  await removeOurKubeconfig(path, env());
  expect(existsSync(path)).toBe(true);
  await symlink(path, join(folder, "link"));
  await recordAsOurs("kubeconfig", join(folder, "link"), env());
  await removeOurKubeconfig(join(folder, "link"), env());
  expect(existsSync(join(folder, "link"))).toBe(true);
  await recordAsOurs("kubeconfig", path, env());
  await writeFile(`${path}.lock`, "");
  await removeOurKubeconfig(path, env());
  expect(existsSync(path)).toBe(true);
  expect(existsSync(`${path}.lock`)).toBe(true);
});

function env(): NodeJS.ProcessEnv {
  return { HOME: folder, XDG_STATE_HOME: folder };
}
