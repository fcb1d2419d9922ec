import { relative, sep } from "node:path";
import type { PackedPackage } from "./pack-packages.ts";

/** Returns the `file:` reference with which a project in `folder` (absolute) names a tarball. */
export function referenceTo({ tarball }: PackedPackage, folder: string): string {
  return `file:${relative(folder, tarball).split(sep).join("/")}`;
}

/**
 * Returns `overrides` for the pnpm-workspace.yaml of a project in `folder`. They name the tarball of each
 * package for all of its dependents. The lockfile must contain the same overrides, because pnpm compares
 * them.
 */
export function overridesFor(packed: readonly PackedPackage[], folder: string): Record<string, string> {
  return Object.fromEntries(packed.map((found) => [found.name, referenceTo(found, folder)]));
}

type References = Readonly<Record<string, string>>;

/** A project's package.json. */
export interface ManifestOfProject {
  readonly dependencies?: References;
  readonly devDependencies?: References;
  readonly [field: string]: unknown;
}

/**
 * Returns a package.json with which npm installs packages from tarballs. npm only overrides a direct
 * dependency with its own reference, so direct dependencies name their tarballs themselves. Indirect ones are
 * overridden.
 *
 * @param tarballs `file:` references by package name
 */
export function manifestWithTarballs(manifest: ManifestOfProject, tarballs: References): ManifestOfProject {
  const withTarballs = (group: References = {}): References =>
    Object.fromEntries(Object.entries(group).map(([name, range]) => [name, tarballs[name] ?? range]));
  const dependencies = withTarballs(manifest.dependencies);
  const devDependencies = withTarballs(manifest.devDependencies);
  const direct = { ...dependencies, ...devDependencies };
  const overrides = Object.entries(tarballs).map(([name, tarball]) => [
    name,
    name in direct ? `$${name}` : tarball,
  ]);
  return { ...manifest, dependencies, devDependencies, overrides: Object.fromEntries(overrides) };
}
