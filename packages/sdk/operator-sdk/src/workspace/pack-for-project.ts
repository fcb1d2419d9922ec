import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { CommandError } from "../command-error.ts";
import { deriveLockfile } from "./lockfile.ts";
import { packDependencies } from "./pack-dependencies.ts";
import { overridesFor } from "./tarball-references.ts";

/** The committed project that begins as this command's: its versions are the ones that are tested together. */
const importer = "tutorials/02-memcached-operator/memcached-operator";

export interface PackForProjectOptions {
  /** The repository's root folder. */
  readonly checkout: string;
  /** The project's folder, absolute, outside the workspace. */
  readonly folder: string;
  /** Text of its package.json. */
  readonly packageJson: string;
  readonly onCompile?: () => void;
}

export interface PackedForProject {
  /** Lines of `overrides` in its pnpm-workspace.yaml: which tarball each of our packages is. */
  readonly overrides: readonly string[];
  /** Text of its pnpm-lock.yaml: with it `pnpm install` resolves nothing, and needs no network when the store has it all. */
  readonly lockfile: string;
  /** `storeDir` for its pnpm-workspace.yaml: where the store that has it all would not be found by itself. */
  readonly storeDir?: string;
}

/**
 * Until they are published: packs what a project asks for of this workspace.
 *
 * @throws CommandError when something does not compile, was never locked, or cannot be written
 */
export async function packForProject(o: PackForProjectOptions): Promise<PackedForProject> {
  try {
    const packed = await packDependencies({
      ...{ root: o.checkout, packageJson: o.packageJson },
      ...(o.onCompile && { onCompile: o.onCompile }),
    });
    const lockfile = deriveLockfile({
      workspaceLockfile: readFileSync(join(o.checkout, "pnpm-lock.yaml"), "utf8"),
      ...{ importer, packageJson: o.packageJson, packed, folder: o.folder },
    });
    const overrides = Object.entries(overridesFor(packed, o.folder)).map(
      ([name, reference]) => `${JSON.stringify(name)}: ${reference}`,
    );
    return { overrides, lockfile, ...storeElsewhere(o) };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `the libraries of ${o.checkout} cannot be packed: ${(error as Error).message}; nothing was written`,
    );
  }
}

/** pnpm has a store for each file system. */
function storeElsewhere({ checkout, folder }: PackForProjectOptions): { storeDir?: string } {
  if (statSync(checkout).dev === statSync(folder).dev) return {};
  const state = readFileSync(join(checkout, "node_modules/.modules.yaml"), "utf8");
  const used = (parse(state) as { storeDir?: string }).storeDir;
  // The version at its end is pnpm's to add.
  return used === undefined ? {} : { storeDir: JSON.stringify(used.replace(/[\\/]v\d+$/, "")) };
}
