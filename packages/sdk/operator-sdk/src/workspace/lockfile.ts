import { load } from "js-yaml";
import { stringify } from "yaml";
import type { PackedPackage } from "./pack-packages.ts";
import { overridesFor, referenceTo } from "./tarball-references.ts";

/** Options of `deriveLockfile`. */
export interface DeriveLockfileOptions {
  /** Text of the workspace's pnpm-lock.yaml (lockfileVersion 9). */
  workspaceLockfile: string;
  /** Importer of the committed project: `tutorials/01-podbuggertool/podbuggertool`. */
  importer: string;
  /** Importer with dependencies that the committed project lacks. Default: none. */
  otherImporter?: string;
  /** Current text of the learner's package.json. */
  packageJson: string;
  /** The learner's folder. Absolute. The paths of the tarballs are relative to it. */
  folder: string;
  /** The packed workspace packages. */
  packed: readonly PackedPackage[];
}

interface Dependency {
  specifier: string;
  version: string;
}
type Group = "dependencies" | "devDependencies" | "optionalDependencies";
const groups: readonly Group[] = ["dependencies", "devDependencies", "optionalDependencies"];
type Importer = Partial<Record<Group, Record<string, Dependency>>>;
interface Snapshot {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  [key: string]: unknown;
}
interface Lockfile {
  lockfileVersion: string;
  settings?: Record<string, unknown>;
  importers: Record<string, Importer>;
  packages?: Record<string, unknown>;
  snapshots?: Record<string, Snapshot>;
}

/**
 * Returns the lockfile of a learner's folder. It is the part of the workspace's lockfile that the learner's
 * package.json needs at this point of the page, with tarballs for workspace packages. With it, `pnpm install`
 * needs no resolution and no network, because every other package is in the store since the first
 * installation.
 *
 * @throws Error that names a dependency in package.json which the workspace has not locked
 */
export function deriveLockfile(options: DeriveLockfileOptions): string {
  // js-yaml takes a tenth of the time of `yaml`, which takes a quarter of a second.
  const source = load(options.workspaceLockfile) as Lockfile;
  const packed = new Map(options.packed.map((p) => [p.name, p]));
  const packages: Record<string, unknown> = {};
  const snapshots: Record<string, Snapshot> = {};

  const visitSnapshot = (key: string): void => {
    if (snapshots[key]) return;
    const snapshot = source.snapshots?.[key];
    if (!snapshot)
      throw new Error(`pnpm-lock.yaml has no snapshot "${key}": run pnpm install in the repository`);
    snapshots[key] = snapshot;
    const id = withoutPeers(key);
    packages[id] = source.packages?.[id];
    for (const [name, version] of Object.entries({
      ...snapshot.dependencies,
      ...snapshot.optionalDependencies,
    }))
      visitSnapshot(snapshotKey(name, version));
  };

  const visitPacked = (p: PackedPackage): string => {
    const version = referenceTo(p, options.folder);
    const key = `${p.name}@${version}`;
    if (snapshots[key]) return version;
    const snapshot: Snapshot = {};
    snapshots[key] = snapshot;
    packages[key] = {
      resolution: { integrity: p.integrity, tarball: version },
      version: p.version,
      ...(p.hasBin && { hasBin: true }),
    };
    const importer = source.importers[p.importer];
    for (const group of ["dependencies", "optionalDependencies"] as const) {
      const entries = Object.entries(importer?.[group] ?? {});
      if (entries.length > 0)
        snapshot[group] = Object.fromEntries(
          entries.map(([name, dependency]) => [name, visit(name, dependency.version)]),
        );
    }
    return version;
  };

  const visit = (name: string, version: string): string => {
    const local = packed.get(name);
    if (local) return visitPacked(local);
    if (version.startsWith("link:")) throw new Error(`${name} is a workspace package that was not packed`);
    visitSnapshot(snapshotKey(name, version));
    return version;
  };

  const committed = source.importers[options.importer];
  const other = source.importers[options.otherImporter ?? ""];
  if (!committed)
    throw new Error(
      `pnpm-lock.yaml has no importer "${options.importer}": run pnpm install in the repository`,
    );
  const manifest = JSON.parse(options.packageJson) as Partial<Record<Group, Record<string, string>>>;
  const importer: Importer = {};
  for (const group of groups) {
    for (const [name, specifier] of Object.entries(manifest[group] ?? {})) {
      const locked = groups
        .flatMap((g) => [committed[g]?.[name], other?.[g]?.[name]])
        .find((d) => d !== undefined);
      const local = packed.get(name);
      if (!locked && !local)
        throw new Error(
          `package.json asks for ${name}, which ${options.importer}/package.json does not have`,
        );
      importer[group] ??= {};
      importer[group][name] = {
        specifier: local ? referenceTo(local, options.folder) : specifier,
        version: visit(name, locked?.version ?? ""),
      };
    }
  }

  const lockfile = {
    lockfileVersion: source.lockfileVersion,
    settings: source.settings,
    overrides: overridesFor(options.packed, options.folder),
    importers: { ".": importer },
    packages: sortKeys(packages),
    snapshots: sortKeys(snapshots),
  };
  return stringify(lockfile, { lineWidth: 0, aliasDuplicateObjects: false });
}

/**
 * Returns the key of a dependency in `snapshots`. In an importer, `version` is a plain version, or
 * `alias-target@version` if the dependency is an alias.
 */
function snapshotKey(name: string, version: string): string {
  return /^[^(]*[^(/]@/.test(version) ? version : `${name}@${version}`;
}

function withoutPeers(key: string): string {
  const at = key.indexOf("(");
  return at === -1 ? key : key.slice(0, at);
}

function sortKeys<V>(record: Record<string, V>): Record<string, V> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
