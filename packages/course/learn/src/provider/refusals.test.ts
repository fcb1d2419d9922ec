import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";

const main = new URL("../main.ts", import.meta.url).pathname;
let folder: string;
let temporary: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "verify-"));
  temporary = join(folder, "tmp");
  await symlink(process.execPath, join(folder, "node"));
  // Without bash for the terminals, that would be the only message.
  await symlink("/bin/bash", join(folder, "bash"));
  await writeFile(
    join(folder, "page.md"),
    "---\ntitle: A page\nrequires: [kubectl]\nproviders: [kind, existing]\n---\n\n## S\n\n```console\n$ true\n```\n",
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs `pnpm verify` with only Node and bash on the PATH. */
async function verify(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  await mkdir(temporary);
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    ["--conditions=@operator-path/source", main, "verify", "page.md", ...args],
    {
      cwd: folder,
      extendEnv: false,
      env: {
        ...{ HOME: folder, PATH: folder, TMPDIR: temporary, NO_COLOR: "1" },
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...env,
      },
      reject: false,
    },
  );
  return { exitCode, stdout, stderr, left: await readdir(temporary) };
}

test("kind: reports a missing engine in one message, and leaves nothing", async () => {
  const { stderr, ...rest } = await verify(["--provider", "kind"]);
  expect(rest).toEqual({ exitCode: 1, stdout: "", left: [] });
  expect(stderr).toMatch(
    /^error: no container engine can be used: there is no docker, podman or nerdctl on the PATH\n/,
  );
});

test("existing: needs --yes without a terminal", async () => {
  const kubeconfig = join(folder, "config");
  await writeFile(
    kubeconfig,
    JSON.stringify({
      contexts: [{ name: "prod", context: { cluster: "c", user: "me" } }],
      clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:1" } }],
      users: [{ name: "me", user: { token: "t" } }],
    }),
  );
  const { stderr, ...rest } = await verify(["--provider", "existing", "--context", "prod"], {
    KUBECONFIG: kubeconfig,
  });
  expect(rest).toEqual({ exitCode: 1, stdout: "context prod: https://127.0.0.1:1, as me", left: [] });
  expect(stderr).toMatch(/^error: Objects, .* will be created there .* agree with --yes$/);
});
