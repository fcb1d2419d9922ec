import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { whether } from "./whether.ts";

/** A folder with a docker that answers as the script says. */
async function pathWith(script?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "operator-path-whether-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (script !== undefined) {
    await writeFile(join(folder, "docker"), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, "docker"), 0o755);
  }
  return folder;
}

it("says that there is no engine", async () => {
  const found = await whether({ env: { PATH: await pathWith() }, reachesRegistry: async () => true });
  expect(found).toEqual({ not: expect.stringMatching(/docker/i) });
});

it("says that there is no node image, and none to be had", async () => {
  const PATH = await pathWith(`case "$1" in info) echo '{"ServerVersion":"29.1.3"}' ;; *) exit 1 ;; esac`);
  const env = { PATH, KIND_NODE_IMAGE: "nodes:v1" };
  expect(await whether({ env, reachesRegistry: async () => false })).toEqual({
    not: "the engine has no node image nodes:v1, and no registry is reached: KIND_NODE_IMAGE names another",
  });
  expect(await whether({ env, reachesRegistry: async () => true })).toMatchObject({ nodeImage: "nodes:v1" });
});
