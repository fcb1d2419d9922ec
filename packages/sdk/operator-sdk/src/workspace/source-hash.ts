import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { readPublication } from "./publication.ts";
import type { WorkspacePackage } from "./workspace-packages.ts";

/**
 * Returns a hash for the tarball of each package, without building it. The hash covers the package's sources,
 * those of its dependencies in the workspace, and the files and code that determine how packages are compiled
 * and packed.
 *
 * @param packages the packages, each after its dependencies
 */
export function sourceHashes(
  root: string,
  packages: readonly WorkspacePackage[],
): ReadonlyMap<WorkspacePackage, string> {
  const common = createHash("sha256");
  for (const file of ["pnpm-workspace.yaml", "tsconfig.base.json"])
    common.update(readFileSync(join(root, file)));
  for (const name of ["typescript", "esbuild"])
    common.update(readFileSync(join(root, "node_modules", name, "package.json")));
  common.update(JSON.stringify(readPublication(root)));
  add(common, import.meta.dirname, import.meta.dirname);
  const shared = common.digest("hex");
  const byName = new Map<string, string>();
  return new Map(
    packages.map((found) => {
      const hash = createHash("sha256").update(shared);
      for (const need of found.needs) hash.update(byName.get(need) ?? "");
      const generated = new Set(["dist"]);
      const published = (found.manifest.files ?? []).filter((name) => !generated.has(name));
      for (const name of [
        "package.json",
        "README.md",
        "CHANGELOG.md",
        "src",
        ...scriptsOf(found),
        ...published,
      ])
        add(hash, found.folder, join(found.folder, name));
      const digest = hash.digest("hex").slice(0, 16);
      byName.set(found.manifest.name, digest);
      return [found, digest];
    }),
  );
}

/** Returns the folder of scripts that a package needs to be packed. */
function scriptsOf({ manifest }: WorkspacePackage): string[] {
  return manifest["operator-path"]?.web === undefined ? [] : ["scripts"];
}

/**
 * Adds a file, or all files below a folder sorted by name. Omits tests and their recordings, which are not
 * packed.
 */
function add(hash: ReturnType<typeof createHash>, base: string, path: string): void {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) {
    if (path.endsWith(".test.ts")) return;
    hash
      .update(`${relative(base, path)}\0`)
      .update(readFileSync(path))
      .update("\0");
    return;
  }
  for (const name of readdirSync(path).sort()) {
    if (name !== "recorded") add(hash, base, join(path, name));
  }
}
