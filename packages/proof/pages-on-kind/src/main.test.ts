import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it, onTestFinished } from "vitest";

const main = join(import.meta.dirname, "main.ts");

/** Runs the command on a machine without an engine, with a new folder for temporary files. */
async function withoutEngine(...args: string[]) {
  const TMPDIR = await mkdtemp(join(tmpdir(), "operator-path-no-engine-"));
  onTestFinished(() => rm(TMPDIR, { recursive: true, force: true }));
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    [...process.execArgv, main, "kind", ...args],
    {
      env: { PATH: TMPDIR, TMPDIR, HOME: TMPDIR },
      extendEnv: false,
      reject: false,
    },
  );
  return { exitCode, stdout, stderr, files: await readdir(TMPDIR) };
}

it("reports a missing engine in one line, and leaves nothing", async () => {
  const { exitCode, stdout, stderr, files } = await withoutEngine();
  expect({ exitCode, stdout, files }).toEqual({ exitCode: 1, stdout: "", files: [] });
  expect(stderr).toMatch(/^error: .*docker.*$/i);
});

it("--check prints only the problem", async () => {
  const { exitCode, stdout, stderr } = await withoutEngine("--check");
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(/^(?!error).*docker.*$/i);
});

it("rejects a report of some pages: it would drop the claims of the others", async () => {
  const { exitCode, stderr, files } = await withoutEngine("03-nginx-operator/1", "--report", "reports");
  expect({ exitCode, stderr, files }).toEqual({
    exitCode: 1,
    stderr: "error: a report covers all pages: remove --report, or the names of pages",
    files: [],
  });
});
