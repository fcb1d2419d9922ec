import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runNode } from "./run-node.ts";
import type { WorkspacePackage } from "./workspace-packages.ts";

/**
 * Compiles packages in one run of tsc. Their order does not matter, because each one resolves to the sources
 * of the others. Writes to a separate folder, because another process may use the packages' own folders.
 *
 * @param folder the output folder, in the checkout
 * @returns a function from a package to the folder of its JavaScript and declarations
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
      // `pnpm typecheck` checks types. A learner waits for this compilation.
      noCheck: true,
    },
    include: packages.map((found) => join(found.folder, "src")),
    exclude: packages.flatMap(excluded),
  };
  const project = join(folder, "tsconfig.json");
  writeFileSync(project, JSON.stringify(settings));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  // Go's garbage collector took a fifth of the time. A short process does not need it.
  const env = { ...process.env, GOGC: "off", GOMEMLIMIT: "1GiB" };
  await runNode([tsc, "-p", project], "the packages of the checkout do not compile", {
    cwd: root,
    env,
    signal,
  });
  return ({ importer }) => join(out, importer.replace(/^packages\//, ""), "src");
}

/**
 * Returns globs of files that are not published: tests, and test helpers that the package does not export.
 */
function excluded({ folder, manifest }: WorkspacePackage): string[] {
  const exportsTesting = JSON.stringify(manifest.exports ?? {}).includes('"./src/testing/');
  const globs = [
    "**/*.test.ts",
    "**/recorded/**",
    // Code for the browser, which the package bundles.
    "web/**",
    "*/**/testing/**",
    ...(exportsTesting ? [] : ["testing/**"]),
  ];
  return globs.map((glob) => join(folder, "src", glob));
}
