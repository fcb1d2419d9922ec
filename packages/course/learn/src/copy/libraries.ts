import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { copyTarballs, deriveLockfile, overridesFor, packDependencies } from "@operator-path/operator-sdk";
import { stringify } from "yaml";

export interface LibrariesOptions {
  readonly root: string;
  /** Committed project, relative to the root: its entry of the lockfile has the versions. */
  readonly project: string;
  /** Where the copy is made. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Folder of the tarballs, in the copy. */
export const librariesFolder = "vendor";

/**
 * Makes a copy live without the checkout, until the libraries are published: what it needs of them as tarballs, and the
 * two files of pnpm's that say so. Nothing where there is no package.json yet.
 */
export async function addLibraries({ root, project, folder, signal }: LibrariesOptions): Promise<void> {
  const packageJson = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  if (packageJson === undefined) return;
  const kept = await packDependencies({ root, packageJson, signal });
  const packed = await copyTarballs(kept, join(folder, librariesFolder));
  const lockfile = deriveLockfile({
    workspaceLockfile: await readFile(join(root, "pnpm-lock.yaml"), "utf8"),
    ...{ importer: project, packageJson, packed, folder },
  });
  await writeFile(join(folder, "pnpm-lock.yaml"), lockfile);
  await writeFile(join(folder, "pnpm-workspace.yaml"), settings(overridesFor(packed, folder)));
}

function settings(overrides: Record<string, string>): string {
  const rules = {
    allowBuilds: { esbuild: true, "@mongodb-js/zstd": false, "node-liblzma": false },
    autoInstallPeers: false,
    // An older Node than the project's `engines` is told so at once, and not by what it does not know.
    engineStrict: true,
    // Derived from the repository's, which its own install has checked: so this needs no network.
    trustLockfile: true,
    verifyDepsBeforeRun: false,
  };
  return [
    "# For pnpm: which packages may run their install scripts.",
    stringify(rules).trimEnd(),
    `# Until they are published, these come from ${librariesFolder}/. Then remove this, trustLockfile, ${librariesFolder}/ and pnpm-lock.yaml, and install anew.`,
    stringify({ overrides }),
  ].join("\n");
}
