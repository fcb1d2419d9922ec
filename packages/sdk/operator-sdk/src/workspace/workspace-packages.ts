import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { CommandError } from "../command-error.ts";

/** The fields of a package.json in the workspace that this folder reads. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly bin?: unknown;
  readonly files?: readonly string[];
  readonly exports?: unknown;
  /**
   * `bundle`: the package is published as one file for each export, and for each of these files in `dist`.
   * `web`: a script of the package that writes a page for the browser. Its argument is the folder, `dist/web`.
   */
  readonly "operator-path"?: { readonly bundle?: readonly string[]; readonly web?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface WorkspacePackage {
  /** Absolute. */
  readonly folder: string;
  /** The folder relative to the root, which is the importer in the lockfile: `packages/sdk/client`. */
  readonly importer: string;
  readonly manifest: Manifest;
  /** The names of its direct dependencies in the workspace. */
  readonly needs: readonly string[];
}

/**
 * Returns workspace packages with their dependencies in the workspace, each after its dependencies.
 *
 * @param names default: all published packages
 * @throws CommandError if the workspace has no package with one of the names
 */
export function packagesWithNeeds(root: string, names?: readonly string[]): WorkspacePackage[] {
  const all = workspacePackages(root);
  const published = [...all.values()].filter(({ manifest }) => !manifest.private);
  const ordered = new Set<WorkspacePackage>();
  const visit = (name: string): void => {
    const found = all.get(name);
    if (!found) throw new CommandError(`${name} is not a package of ${root}: check its name`);
    if (ordered.has(found)) return;
    for (const need of found.needs) visit(need);
    ordered.add(found);
  };
  for (const name of names ?? published.map(({ manifest }) => manifest.name)) visit(name);
  return [...ordered];
}

function workspacePackages(root: string): ReadonlyMap<string, WorkspacePackage> {
  const wings = readdirSync(join(root, "packages")).map((wing) => join(root, "packages", wing));
  const manifests = wings
    .flatMap((wing) => readdirSync(wing).map((name) => join(wing, name)))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
      return { folder, importer: relative(root, folder).split(sep).join("/"), manifest };
    });
  const names = new Set(manifests.map(({ manifest }) => manifest.name));
  return new Map(
    manifests.map((found) => {
      const needs = Object.keys(found.manifest.dependencies ?? {}).filter((name) => names.has(name));
      return [found.manifest.name, { ...found, needs }];
    }),
  );
}
