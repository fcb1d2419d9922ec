import { type PackedPackage, type PackOptions, packPackages } from "./pack-packages.ts";

const scope = "@operator-path/";

export interface PackDependenciesOptions extends Omit<PackOptions, "names"> {
  /** Text of a project's package.json. */
  readonly packageJson: string;
}

/**
 * Packs what a project asks for of the workspace, and what that needs.
 *
 * @returns each after what it needs; nothing when the project asks for nothing of ours
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
