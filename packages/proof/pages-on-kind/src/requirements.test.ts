import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkRequirements } from "./requirements.ts";

/** Returns a folder with a docker that runs the script. */
async function pathWith(script?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "operator-path-whether-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (script !== undefined) {
    await writeFile(join(folder, "docker"), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, "docker"), 0o755);
  }
  return folder;
}

it("reports a missing engine", async () => {
  const found = await checkRequirements({
    env: { PATH: await pathWith() },
    reachesRegistry: async () => true,
  });
  expect(found).toEqual({ problem: expect.stringMatching(/docker/i) });
});

it("reports a missing node image without a registry", async () => {
  const PATH = await pathWith(`case "$1" in info) echo '{"ServerVersion":"29.1.3"}' ;; *) exit 1 ;; esac`);
  const env = { PATH, KIND_NODE_IMAGE: "nodes:v1" };
  expect(await checkRequirements({ env, reachesRegistry: async () => false })).toEqual({
    problem:
      "the node image nodes:v1 is missing and no registry is reachable (set KIND_NODE_IMAGE to another image)",
  });
  expect(await checkRequirements({ env, reachesRegistry: async () => true })).toMatchObject({
    nodeImage: "nodes:v1",
  });
});
