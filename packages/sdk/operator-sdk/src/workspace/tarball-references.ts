import { relative, sep } from "node:path";
import type { PackedPackage } from "./pack-packages.ts";

/** `file:` reference of a tarball, as a project in `folder` (absolute) names it. */
export function referenceTo({ tarball }: PackedPackage, folder: string): string {
  return `file:${relative(folder, tarball).split(sep).join("/")}`;
}

/**
 * `overrides` for the pnpm-workspace.yaml of a project in `folder`: which tarball each package is, whoever asks for it.
 * Its lockfile says the same, and pnpm compares the two.
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
 * A package.json that makes npm install packages from tarballs. npm overrides a direct dependency only by its own reference,
 * so direct ones name their tarballs themselves. What they need of each other is overridden.
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
