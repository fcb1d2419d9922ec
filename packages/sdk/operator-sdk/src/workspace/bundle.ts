import { cpSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Manifest } from "./workspace-packages.ts";

/**
 * Replaces the modules of a compiled package by one file for each entry point, if its package.json has
 * `"operator-path": { "bundle": […] }`. Node needs about half a millisecond for each file that it loads, and
 * an operator's Pod loads these packages at every start. Code that several entry points share goes into
 * `chunks`, so each class exists only once. Does not include dependencies, and does not change declarations.
 *
 * @param root the checkout, which provides esbuild
 * @param compiled the folder that becomes `dist`
 * @throws Error if an entry point is missing
 */
export async function bundle(root: string, manifest: Manifest, compiled: string): Promise<void> {
  const files = manifest["operator-path"]?.bundle;
  if (!files) return;
  const { build } = createRequire(join(root, "package.json"))("esbuild") as {
    build(options: object): Promise<unknown>;
  };
  const outdir = `${compiled}.bundled`;
  await build({
    absWorkingDir: compiled,
    entryPoints: [...new Set([...targetsOf(manifest.exports), ...files])].map((file) =>
      join(compiled, file.replace("./dist/", "")),
    ),
    outdir,
    outbase: compiled,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    logLevel: "silent",
  });
  for (const file of readdirSync(compiled, { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".js")) rmSync(join(compiled, file));
  cpSync(outdir, compiled, { recursive: true });
}

/** Returns the JavaScript files in `exports`. */
function targetsOf(map: unknown): string[] {
  if (typeof map === "string") return /^\.\/dist\/.*\.js$/.test(map) ? [map] : [];
  return typeof map === "object" && map !== null ? Object.values(map).flatMap(targetsOf) : [];
}
