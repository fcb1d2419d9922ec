import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runNode } from "./run-node.ts";
import type { Manifest } from "./workspace-packages.ts";

/** A package whose compiled modules lie in a folder that becomes its `dist`. */
export interface CompiledPackage {
  readonly manifest: Manifest;
  readonly compiled: string;
}

/** Runs in a process of its own, since esbuild's service lives as long as the process that has started it. */
const program = `
const { build } = require("esbuild");
Promise.all(JSON.parse(process.argv[1]).map((options) => build(options))).catch(() => { process.exitCode = 1; });
`;

/**
 * Replaces the modules of compiled packages by one file for each entry point, where package.json has
 * `"operator-path": { "bundle": […] }`. Node needs about half a millisecond for each file that it loads, and
 * an operator's Pod loads these packages at every start. Code that several entry points share goes into
 * `chunks`, so each class exists only once. Does not include dependencies, and does not change declarations.
 *
 * @param root the checkout, which provides esbuild
 * @throws CommandError with esbuild's messages, such as that an entry point is missing
 */
export async function bundle(
  root: string,
  packages: readonly CompiledPackage[],
  signal?: AbortSignal,
): Promise<void> {
  const builds = packages.flatMap(({ manifest, compiled }) => {
    const files = manifest["operator-path"]?.bundle;
    return files ? [settings(compiled, [...targetsOf(manifest.exports), ...files])] : [];
  });
  if (builds.length === 0) return;
  const args = ["--eval", program, JSON.stringify(builds)];
  await runNode(args, "the packages cannot be bundled", { cwd: root, signal });
  for (const { absWorkingDir: compiled, outdir } of builds) {
    for (const file of readdirSync(compiled, { recursive: true, encoding: "utf8" }))
      if (file.endsWith(".js")) rmSync(join(compiled, file));
    cpSync(outdir, compiled, { recursive: true });
  }
}

function settings(compiled: string, files: readonly string[]) {
  return {
    absWorkingDir: compiled,
    entryPoints: [...new Set(files)].map((file) => join(compiled, file.replace("./dist/", ""))),
    outdir: `${compiled}.bundled`,
    outbase: compiled,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    logLevel: "error",
  };
}

/** Returns the JavaScript files in `exports`. */
function targetsOf(map: unknown): string[] {
  if (typeof map === "string") return /^\.\/dist\/.*\.js$/.test(map) ? [map] : [];
  return typeof map === "object" && map !== null ? Object.values(map).flatMap(targetsOf) : [];
}
