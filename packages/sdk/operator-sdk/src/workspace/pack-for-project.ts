import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { CommandError } from "../command-error.ts";
import { deriveLockfile } from "./lockfile.ts";
import { packDependencies } from "./pack-dependencies.ts";
import { overridesFor } from "./tarball-references.ts";

/**
 * The committed project that this command's projects resemble. Its versions of dependencies are tested
 * together.
 */
const importer = "tutorials/02-memcached-operator/memcached-operator";

export interface PackForProjectOptions {
  /** The repository's root folder. */
  readonly checkout: string;
  /** The project's folder, outside the workspace. Absolute. */
  readonly folder: string;
  /** Text of its package.json. */
  readonly packageJson: string;
  /** Called before a compilation. */
  readonly onCompile?: () => void;
}

export interface PackedForProject {
  /** Lines of `overrides` in its pnpm-workspace.yaml. They name the tarball of each of our packages. */
  readonly overrides: readonly string[];
  /**
   * Text of its pnpm-lock.yaml. With it, `pnpm install` resolves nothing, and needs no network if the store
   * is complete.
   */
  readonly lockfile: string;
  /** `storeDir` for its pnpm-workspace.yaml, if pnpm would not find the complete store without it. */
  readonly storeDir?: string;
}

/**
 * Packs the workspace packages that a new project depends on. Needed until they are published.
 *
 * @throws CommandError if a package does not compile, a dependency is not locked, or a file cannot be written
 */
export async function packForProject(options: PackForProjectOptions): Promise<PackedForProject> {
  try {
    const packed = await packDependencies({
      ...{ root: options.checkout, packageJson: options.packageJson },
      ...(options.onCompile && { onCompile: options.onCompile }),
    });
    const lockfile = deriveLockfile({
      workspaceLockfile: readFileSync(join(options.checkout, "pnpm-lock.yaml"), "utf8"),
      ...{ importer, packageJson: options.packageJson, packed, folder: options.folder },
    });
    const overrides = Object.entries(overridesFor(packed, options.folder)).map(
      ([name, reference]) => `${JSON.stringify(name)}: ${reference}`,
    );
    return { overrides, lockfile, ...storeElsewhere(options) };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `the libraries of ${options.checkout} cannot be packed: ${(error as Error).message}; nothing was written`,
    );
  }
}

/**
 * Returns the store of the checkout if the project is on another file system, because pnpm has a store for
 * each.
 */
function storeElsewhere({ checkout, folder }: PackForProjectOptions): { storeDir?: string } {
  if (statSync(checkout).dev === statSync(folder).dev) return {};
  const state = readFileSync(join(checkout, "node_modules/.modules.yaml"), "utf8");
  const used = (parse(state) as { storeDir?: string }).storeDir;
  // pnpm appends the version itself.
  return used === undefined ? {} : { storeDir: JSON.stringify(used.replace(/[\\/]v\d+$/, "")) };
}
