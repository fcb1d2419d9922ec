import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";

test("npx in this repository asks a registry that does not answer no more than twice", async () => {
  await using cache = await mkdtempDisposable(join(tmpdir(), "npmrc-"));
  // The pnpm that runs this test has put .npmrc into the environment. npx is to read the file itself.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)));
  const { exitCode, stderr } = await execa("npx", ["--yes", "--loglevel=http", "pnpm@12", "--version"], {
    cwd: join(import.meta.dirname, ".."),
    // No server listens there.
    env: { ...env, npm_config_registry: "http://127.0.0.1:9", npm_config_cache: cache.path },
    ...{ extendEnv: false, reject: false },
  });
  expect(stderr).toContain("attempt 2 failed");
  expect(stderr).not.toContain("attempt 3 failed");
  expect(exitCode).not.toBe(0);
});
