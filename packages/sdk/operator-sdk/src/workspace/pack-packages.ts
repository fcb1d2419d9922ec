import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import { compile } from "./compile.ts";
import { sourceHashes } from "./source-hash.ts";
import { packagesWithNeeds, type WorkspacePackage } from "./workspace-packages.ts";

/** A workspace package, packed: what a lockfile says about a tarball. */
export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** Subresource integrity of the tarball, `sha512-…`. */
  readonly integrity: string;
  /** Path of the tarball, absolute. */
  readonly tarball: string;
  /** The package's folder in the workspace, as the lockfile names its importer: `packages/sdk/client`. */
  readonly importer: string;
  /** It brings a command: pnpm links those that the lockfile tells of. */
  readonly hasBin?: boolean;
}

export interface PackOptions {
  /** The checkout's root folder, installed. */
  readonly root: string;
  /**
   * Names of the workspace packages that are asked for; what they need of the workspace is packed too. Default: all
   * that are published.
   */
  readonly names?: readonly string[];
  /** Says, before it begins, that something has to be compiled: the first time, and when sources have changed. */
  readonly onCompile?: () => void;
  readonly signal?: AbortSignal;
}

/**
 * Packs workspace packages, as they would be published. Tarballs are kept in the checkout's `node_modules/.cache` by
 * the content of the sources: nothing is compiled when nothing has changed.
 *
 * @returns each after what it needs
 * @throws CommandError when a name is no package of the workspace, or when something does not compile
 */
export async function packPackages(o: PackOptions): Promise<PackedPackage[]> {
  const cache = join(o.root, "node_modules/.cache/operator-path/packed");
  mkdirSync(cache, { recursive: true });
  let said = false;
  for (;;) {
    const wanted = tarballsOf(o, cache);
    const missing = wanted.filter(({ tarball }) => !existsSync(tarball));
    if (missing.length === 0) return wanted.map(describe);
    if (!said) o.onCompile?.();
    said = true;
    // Once more when somebody saved meanwhile: what was packed may be neither what was nor what is.
    await packAll(o, missing, wanted, cache);
  }
}

interface Wanted extends WorkspacePackage {
  /** Where its tarball is, or will be: named by its sources. */
  readonly tarball: string;
}

function tarballsOf({ root, names }: PackOptions, cache: string): Wanted[] {
  const packages = packagesWithNeeds(root, names);
  const hashes = sourceHashes(root, packages);
  return packages.map((found) => {
    const { name, version } = found.manifest;
    const plain = name.replace("@", "").replace("/", "-");
    return { ...found, tarball: join(cache, `${plain}-${version}-${hashes.get(found)}.tgz`) };
  });
}

function describe({ manifest: { name, version, bin }, tarball, importer }: Wanted): PackedPackage {
  const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  return { name, version, integrity, tarball, importer, ...(bin ? { hasBin: true } : {}) };
}

const beginning = "packing-";
const hour = 3_600_000;

/** What somebody left who was killed; who is younger may be packing. */
function removeLeftovers(cache: string): void {
  for (const name of readdirSync(cache).filter((name) => name.startsWith(beginning))) {
    const begun = statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - begun > hour) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

/** Tarballs appear whole, and only if their sources are still what their names say. */
async function packAll(
  o: PackOptions,
  missing: readonly Wanted[],
  wanted: readonly Wanted[],
  cache: string,
): Promise<void> {
  const { writeTarball } = await import("./tarball.ts");
  const versions = new Map(wanted.map(({ manifest }) => [manifest.name, manifest.version]));
  removeLeftovers(cache);
  const folder = mkdtempSync(join(cache, beginning));
  try {
    const compiledOf = await compile(o.root, missing, folder, o.signal);
    const made = await Promise.all(
      missing.map(async (found, index) => {
        const own = join(folder, `${index}`);
        mkdirSync(own);
        const file = join(own, "package.tgz");
        const compiled = compiledOf(found);
        await bundle(o.root, found.manifest, compiled);
        await writeTarball(o.root, found, { compiled, folder: own, file, versions });
        return { file, tarball: found.tarball };
      }),
    );
    const current = new Set(tarballsOf(o, cache).map(({ tarball }) => tarball));
    for (const { file, tarball } of made) if (current.has(tarball)) renameSync(file, tarball);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
