import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { deriveLockfile, type PackedPackage, packPackages } from "@operator-path/operator-sdk";
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
  const { dependencies, devDependencies } = JSON.parse(packageJson) as Record<string, object | undefined>;
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
    name.startsWith("@operator-path/"),
  );
  const packed = names.length === 0 ? [] : await packPackages({ root, names, signal });
  await mkdir(join(folder, librariesFolder));
  const copies: PackedPackage[] = [];
  for (const found of packed) {
    const tarball = join(folder, librariesFolder, basename(found.tarball));
    await copyFile(found.tarball, tarball);
    copies.push({ ...found, tarball });
  }
  const lockfile = deriveLockfile({
    workspaceLockfile: await readFile(join(root, "pnpm-lock.yaml"), "utf8"),
    ...{ importer: project, packageJson, packed: copies, folder },
  });
  await writeFile(join(folder, "pnpm-lock.yaml"), lockfile);
  await writeFile(join(folder, "pnpm-workspace.yaml"), settings(copies));
}

function settings(packed: readonly PackedPackage[]): string {
  const rules = {
    allowBuilds: { esbuild: true, "@mongodb-js/zstd": false, "node-liblzma": false },
    autoInstallPeers: false,
    // An older Node than the project's `engines` is told so at once, and not by what it does not know.
    engineStrict: true,
    verifyDepsBeforeRun: false,
  };
  const overrides = Object.fromEntries(
    packed.map(({ name, tarball }) => [name, `file:${librariesFolder}/${basename(tarball)}`]),
  );
  return [
    "# For pnpm: which packages may run their install scripts.",
    stringify(rules).trimEnd(),
    `# Until they are published, these come from ${librariesFolder}/. Then remove this, ${librariesFolder}/ and pnpm-lock.yaml, and install anew.`,
    stringify({ overrides }),
  ].join("\n");
}
