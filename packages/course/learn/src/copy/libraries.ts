import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  copyTarballs,
  deriveLockfile,
  type ManifestOfProject,
  manifestWithTarballs,
  overridesFor,
  packDependencies,
} from "@operator-path/operator-sdk";
import { stringify } from "yaml";

export interface LibrariesOptions {
  readonly root: string;
  /** The committed project, relative to the root. Its entry in the lockfile has the versions. */
  readonly project: string;
  /** Folder of the copy. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Folder of the tarballs in the copy. */
export const librariesFolder = "vendor";

/** Packages whose install scripts npm and pnpm may run. */
const mayRunScripts = { "@mongodb-js/zstd": false, esbuild: true, node: true, "node-liblzma": false };

/**
 * Makes a copy independent of the checkout until the libraries are published. Writes the libraries as
 * tarballs, names them in package.json for npm and in pnpm-workspace.yaml for pnpm, adds the Node of this
 * repository, and writes pnpm's lockfile. Does nothing without a package.json.
 */
export async function addLibraries({ root, project, folder, signal }: LibrariesOptions): Promise<void> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) return;
  const asked = JSON.stringify(manifest);
  const kept = await packDependencies({ root, packageJson: asked, signal });
  const packed = await copyTarballs(kept, join(folder, librariesFolder));
  const tarballs = overridesFor(packed, folder);
  const node = (await readManifest(root))?.devDependencies?.node ?? "";
  const packageJson = `${JSON.stringify(forNpm(manifest, tarballs, node), undefined, 2)}\n`;
  const lockfile = deriveLockfile({
    workspaceLockfile: await readFile(join(root, "pnpm-lock.yaml"), "utf8"),
    // The added `node` is a dependency of the root.
    ...{ importer: project, otherImporter: ".", packageJson, packed, folder },
  });
  await writeFile(join(folder, "package.json"), packageJson);
  await writeFile(join(folder, "pnpm-lock.yaml"), lockfile);
  await writeFile(join(folder, "pnpm-workspace.yaml"), settings(tarballs, node));
}

type References = Readonly<Record<string, string>>;

async function readManifest(folder: string): Promise<ManifestOfProject | undefined> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as ManifestOfProject);
}

function forNpm(manifest: ManifestOfProject, tarballs: References, node: string): ManifestOfProject {
  const devDependencies = sorted({ node: `^${node}`, ...manifest.devDependencies });
  return { ...manifestWithTarballs({ ...manifest, devDependencies }, tarballs), allowScripts: mayRunScripts };
}

function sorted(group: References): References {
  return Object.fromEntries(Object.entries(group).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function settings(overrides: References, node: string): string {
  const rules = {
    allowBuilds: mayRunScripts,
    autoInstallPeers: false,
    // The copy runs on the Node that it brings, so pnpm does not compare engines with the machine's.
    nodeVersion: node,
    // The lockfile is derived from the repository's, which its own install checked. So an install needs no
    // network.
    trustLockfile: true,
    verifyDepsBeforeRun: false,
  };
  return [
    "# For pnpm: which packages may run their install scripts.",
    stringify(rules).trimEnd(),
    `# Until the libraries are published, they come from ${librariesFolder}/. README.md says what to do then.`,
    stringify({ overrides }),
  ].join("\n");
}
