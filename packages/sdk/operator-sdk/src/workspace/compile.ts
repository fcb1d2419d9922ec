import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { CommandError } from "../command-error.ts";
import type { WorkspacePackage } from "./workspace-packages.ts";

const run = promisify(execFile);

/**
 * Compiles packages in one run of tsc, whatever their order: each sees the others' sources. Not in their folders, where
 * somebody else may be at work.
 *
 * @param folder for what is made, in the checkout
 * @returns where a package's JavaScript and declarations are
 * @throws CommandError with tsc's output
 */
export async function compile(
  root: string,
  packages: readonly WorkspacePackage[],
  folder: string,
  signal?: AbortSignal,
): Promise<(found: WorkspacePackage) => string> {
  const out = join(folder, "compiled");
  mkdirSync(out, { recursive: true });
  const settings = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      rootDir: join(root, "packages"),
      outDir: out,
      // `pnpm typecheck` is for types; a learner waits for this.
      noCheck: true,
    },
    include: packages.map((found) => join(found.folder, "src")),
    exclude: packages.flatMap(excluded),
  };
  const project = join(folder, "tsconfig.json");
  writeFileSync(project, JSON.stringify(settings));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  try {
    // A fifth of the time went into Go's garbage collector, which is there for programs that go on.
    const env = { ...process.env, GOGC: "off", GOMEMLIMIT: "1GiB" };
    await run(process.execPath, [tsc, "-p", project], { cwd: root, env, signal, maxBuffer: 64 << 20 });
  } catch (error) {
    if (signal?.aborted) throw error;
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    const said = `${stdout}${stderr}`.trimEnd() || message;
    throw new CommandError(`the packages of the checkout do not compile:\n${said}`);
  }
  return ({ importer }) => join(out, importer.replace(/^packages\//, ""), "src");
}

/** Globs of what is not published: tests, and what only tests use, unless the package lends it to others' tests. */
function excluded({ folder, manifest }: WorkspacePackage): string[] {
  const lent = JSON.stringify(manifest.exports ?? {}).includes('"./src/testing/');
  const globs = ["**/*.test.ts", "**/recorded/**", "*/**/testing/**", ...(lent ? [] : ["testing/**"])];
  return globs.map((glob) => join(folder, "src", glob));
}
