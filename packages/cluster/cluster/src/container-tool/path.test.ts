import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { containerToolPath } from "./path.ts";

let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "container-tool-"));
});
afterEach(() => rm(project, { recursive: true, force: true }));

test.each([
  ["the Node of its project", true, "the project's Node"],
  ["the shell's Node if the project has none", false, "the shell's Node"],
])("runs on %s", async (_, brought, expected) => {
  const tool = await installTool();
  await addNode(join(project, "shell"), "the shell's Node");
  if (brought) await addNode(join(project, "node_modules", ".bin"), "the project's Node");
  const PATH = [join(project, "shell"), "/usr/bin", "/bin"].join(":");
  expect((await execa(tool, ["images"], { env: { PATH }, extendEnv: false })).stdout).toBe(
    `${expected} container-tool.js images`,
  );
});

/**
 * Installs the command as npm does: the package below node_modules, and a link to the command in another
 * folder.
 */
async function installTool(): Promise<string> {
  const bin = join(project, "node_modules", "@operator-path", "cluster", "bin");
  await mkdir(bin, { recursive: true });
  await copyFile(containerToolPath(), join(bin, "container-tool"));
  const link = join(project, "container-tool");
  await symlink(join(bin, "container-tool"), link);
  return link;
}

/** Adds a `node` that prints the given name, the program that it should run, and the arguments. */
async function addNode(folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const node = join(folder, "node");
  await writeFile(node, `#!/bin/sh\nprogram=$(basename "$1")\nshift\necho "${name} $program $*"\n`);
  await chmod(node, 0o755);
}
