import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";

test("a script says in one line that the packages are not installed", async () => {
  const root = await mkdtemp(join(tmpdir(), "not-installed-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const checkout = join(import.meta.dirname, "..");
  for (const file of ["package.json", "scripts/installed.js"])
    await cp(join(checkout, file), join(root, file));
  const { exitCode, stderr } = await execa("npm", ["run", "--silent", "start"], { cwd: root, reject: false });
  expect(stderr).toMatch(/^error: the packages are not installed\. .*`npx --yes pnpm@12 install`$/);
  expect(exitCode).toBe(1);
});
