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
import { writeWeb } from "./write-web.ts";

/** A packed workspace package, with the facts that a lockfile states about its tarball. */
export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** Subresource integrity of the tarball, `sha512-…`. */
  readonly integrity: string;
  /** Absolute path of the tarball. */
  readonly tarball: string;
  /** The package's folder in the workspace, which is its importer in the lockfile: `packages/sdk/client`. */
  readonly importer: string;
  /** Whether it has a command. pnpm links only the commands of packages with this flag in the lockfile. */
  readonly hasBin?: boolean;
}

/** Options of `packPackages`. */
export interface PackOptions {
  /** The root folder of the checkout, with its dependencies installed. */
  readonly root: string;
  /**
   * Names of workspace packages. Their dependencies in the workspace are packed as well. Default: all
   * published ones.
   */
  readonly names?: readonly string[];
  /** Called once before a compilation, which happens the first time and after changes of sources. */
  readonly onCompile?: () => void;
  /** Aborts a compilation. */
  readonly signal?: AbortSignal;
}

/**
 * Packs workspace packages as they would be published. Keeps the tarballs in the checkout's
 * `node_modules/.cache`, named after the hash of their sources, and compiles only packages whose sources have
 * changed.
 *
 * @returns the packages, each after its dependencies
 * @throws CommandError if a name is not a package of the workspace, or if a package does not compile
 */
export async function packPackages(options: PackOptions): Promise<PackedPackage[]> {
  const cache = join(options.root, "node_modules/.cache/operator-path/packed");
  mkdirSync(cache, { recursive: true });
  let notified = false;
  for (;;) {
    const packages = tarballsOf(options, cache);
    const missing = packages.filter(({ tarball }) => !existsSync(tarball));
    if (missing.length === 0) return packages.map(describe);
    if (!notified) options.onCompile?.();
    notified = true;
    // Repeat if sources have changed meanwhile, because the compilation may have read a mixture of old and
    // new ones.
    await packAll(options, missing, packages, cache);
  }
}

interface CachedPackage extends WorkspacePackage {
  /** The path of its tarball, which contains the hash of its sources. The file may not exist yet. */
  readonly tarball: string;
}

function tarballsOf({ root, names }: PackOptions, cache: string): CachedPackage[] {
  const packages = packagesWithNeeds(root, names);
  const hashes = sourceHashes(root, packages);
  return packages.map((found) => {
    const { name, version } = found.manifest;
    const plain = name.replace("@", "").replace("/", "-");
    return { ...found, tarball: join(cache, `${plain}-${version}-${hashes.get(found)}.tgz`) };
  });
}

function describe({ manifest: { name, version, bin }, tarball, importer }: CachedPackage): PackedPackage {
  const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  return { name, version, integrity, tarball, importer, ...(bin ? { hasBin: true } : {}) };
}

const temporaryPrefix = "packing-";
const hour = 3_600_000;

/** Removes the folders of killed processes. A folder that is younger than an hour may still be in use. */
function removeLeftovers(cache: string): void {
  for (const name of readdirSync(cache).filter((name) => name.startsWith(temporaryPrefix))) {
    const startedAt = statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - startedAt > hour) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

/**
 * Packs packages. Moves each tarball to the cache in one step, but only if its sources have not changed
 * meanwhile.
 */
async function packAll(
  options: PackOptions,
  missing: readonly CachedPackage[],
  packages: readonly CachedPackage[],
  cache: string,
): Promise<void> {
  const { writeTarball } = await import("./tarball.ts");
  const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]));
  removeLeftovers(cache);
  const folder = mkdtempSync(join(cache, temporaryPrefix));
  try {
    const compiledOf = await compile(options.root, missing, folder, options.signal);
    const compiledPackages = missing.map((found) => ({ ...found, compiled: compiledOf(found) }));
    await bundle(options.root, compiledPackages, options.signal);
    const written = await Promise.all(
      compiledPackages.map(async ({ compiled, ...found }, index) => {
        const own = join(folder, `${index}`);
        mkdirSync(own);
        const file = join(own, "package.tgz");
        await writeWeb(found, compiled, options.signal);
        await writeTarball(options.root, found, { compiled, folder: own, file, versions });
        return { file, tarball: found.tarball };
      }),
    );
    const current = new Set(tarballsOf(options, cache).map(({ tarball }) => tarball));
    for (const { file, tarball } of written) if (current.has(tarball)) renameSync(file, tarball);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
