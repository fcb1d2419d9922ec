import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedCluster, startEmbeddedCluster } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTerminal } from "../testing/terminal.ts";

const main = new URL("../main.ts", import.meta.url).pathname;
let somebodys: EmbeddedCluster;
let folder: string;
let temporary: string;
let kubeconfig: string;

beforeAll(async () => {
  somebodys = await startEmbeddedCluster({ name: "theirs" });
  folder = await mkdtemp(join(tmpdir(), "existing-"));
  temporary = await mkdtemp(join(tmpdir(), "existing-tmp-"));
  kubeconfig = await readFile(somebodys.kubeconfigPath, "utf8");
});
afterAll(async () => {
  await somebodys?.stop();
  for (const each of [folder, temporary]) await rm(each, { recursive: true, force: true });
});

const page = (commands: string): string =>
  `---\ntitle: A page\nrequires: [kubectl]\nproviders: [existing]\ncreates: [namespaces/shop]\n---\n\n## First step\n\n\`\`\`console\n$ kubectl create namespace shop\nnamespace/shop created\n$ kubectl create configmap left\nconfigmap/left created\n${commands}\n\`\`\`\n`;

async function verify(commands: string) {
  const path = join(folder, "page.md");
  await writeFile(path, page(commands));
  const { PATH, XDG_CACHE_HOME } = process.env;
  return openTerminal(main, ["verify", path, "--provider", "existing", "--context", "operator-path"], {
    ...{ PATH, XDG_CACHE_HOME, HOME: folder, TMPDIR: temporary, TERM: "xterm", NO_COLOR: "1" },
    KUBECONFIG: somebodys.kubeconfigPath,
  });
}

/** Expects that the run left no namespace and no file, and did not change the kubeconfig. */
async function expectUntouched(): Promise<void> {
  const { path } = await findTool("kubectl");
  const args = ["--kubeconfig", somebodys.kubeconfigPath, "get", "namespaces", "-o", "name"];
  const { stdout } = await execa(path, args);
  const names = stdout.split("\n").map((name) => name.replace("namespace/", ""));
  expect(names.filter((name) => !/^(default|kube-.*)$/.test(name))).toEqual([]);
  expect(await readdir(temporary)).toEqual([]);
  expect(await readFile(somebodys.kubeconfigPath, "utf8")).toBe(kubeconfig);
}

test("asks in a terminal, and accepts a no", async () => {
  using terminal = await verify("$ true");
  await terminal.shows("Continue?");
  expect(terminal.screen()).toContain(`context operator-path: ${somebodys.url}`);
  terminal.type("n");
  expect(await terminal.ended()).toBe(1);
  expect(terminal.screen()).toContain("error: nothing was done");
  await expectUntouched();
});

test("runs the page after a yes, reports its failure, and leaves nothing", async () => {
  using terminal = await verify("$ false");
  await terminal.shows("Continue?");
  terminal.type("y");
  expect(await terminal.ended()).toBe(1);
  expect(terminal.screen()).toContain("exit status 1, the page says 0");
  await expectUntouched();
});

test("leaves nothing after Ctrl+C during a page", async () => {
  using terminal = await verify("$ sleep 1000");
  await terminal.shows("Continue?");
  terminal.type("y");
  await terminal.shows("sleep 1000");
  terminal.type("\x03");
  expect(await terminal.ended()).toBe(130);
  await expectUntouched();
});
