import { type PackedPackage, type PackOptions, packPackages } from "./pack-packages.ts";

const scope = "@operator-path/";

/** Options of `packDependencies`. */
export interface PackDependenciesOptions extends Omit<PackOptions, "names"> {
  /** Text of a project's package.json. */
  readonly packageJson: string;
}

/**
 * Packs the workspace packages that a project depends on, directly or indirectly.
 *
 * @returns the packages, each after its dependencies; empty if the project depends on none
 * @throws CommandError as `packPackages` does
 */
export async function packDependencies({
  packageJson,
  ...options
}: PackDependenciesOptions): Promise<PackedPackage[]> {
  const { dependencies, devDependencies } = JSON.parse(packageJson) as Record<string, object | undefined>;
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name.startsWith(scope));
  return names.length === 0 ? [] : await packPackages({ ...options, names });
}
