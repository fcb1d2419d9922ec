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
