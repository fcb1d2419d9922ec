import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeUserTool } from "./images.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "persons tool's-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("the tool has the user's home, PATH, engine and proxies, and none of the other variables", async () => {
  const tool = join(folder, "the tool");
  await writeFile(tool, '#!/bin/sh\necho "$1"; env\n', { mode: 0o755 });
  const path = join(folder, "container-tool");
  await writeUserTool(
    path,
    tool,
    {
      HOME: "/home/o'neill",
      PATH: "/opt/my engine/bin:/usr/bin:/bin",
      DOCKER_HOST: "unix:///run/user/1000/docker.sock",
      CONTAINERS_STORAGE_CONF: "/etc/storage.conf",
      XDG_RUNTIME_DIR: "/run/user/1000",
      https_proxy: "http://proxy:3128",
      AWS_SECRET_ACCESS_KEY: "secret",
    },
    { KIND_CLUSTER: "dev" },
  );
  const { stdout } = await execa(path, ["build it"], {
    extendEnv: false,
    env: { HOME: "/run/home", PATH: "/usr/bin:/bin", OPERATOR_PATH_RUN: "1.2.3" },
  });
  const lines = stdout.split("\n");
  expect(lines[0]).toBe("build it");
  expect(lines).toEqual(
    expect.arrayContaining([
      "HOME=/home/o'neill",
      expect.stringMatching(/^PATH=.*:\/opt\/my engine\/bin:\/usr\/bin:\/bin$/),
      "DOCKER_HOST=unix:///run/user/1000/docker.sock",
      "CONTAINERS_STORAGE_CONF=/etc/storage.conf",
      "XDG_RUNTIME_DIR=/run/user/1000",
      "https_proxy=http://proxy:3128",
      "KIND_CLUSTER=dev",
      // Runs find their processes by it.
      "OPERATOR_PATH_RUN=1.2.3",
    ]),
  );
  expect(stdout).not.toContain("secret");
  expect((await stat(path)).mode & 0o777).toBe(0o700);
});
