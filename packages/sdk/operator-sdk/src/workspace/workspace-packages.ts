import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { CommandError } from "../command-error.ts";

/** What is read of a package.json of the workspace. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly bin?: unknown;
  readonly files?: readonly string[];
  readonly exports?: unknown;
  /** `bundle`: the package is published as one file for each export, and for each of these files of `dist`. */
  readonly "operator-path"?: { readonly bundle: readonly string[] };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface WorkspacePackage {
  /** Absolute. */
  readonly folder: string;
  /** The same, as the lockfile names its importer: `packages/sdk/client`. */
  readonly importer: string;
  readonly manifest: Manifest;
  /** Names of what it needs of the workspace, itself. */
  readonly needs: readonly string[];
}

/**
 * The packages named and what they need of the workspace, each after what it needs.
 *
 * @param names default: of all that are published
 * @throws CommandError when one is asked for that is not there
 */
export function packagesWithNeeds(root: string, names?: readonly string[]): WorkspacePackage[] {
  const all = workspacePackages(root);
  const published = [...all.values()].filter(({ manifest }) => !manifest.private);
  const wanted = new Set<WorkspacePackage>();
  const visit = (name: string): void => {
    const found = all.get(name);
    if (!found) throw new CommandError(`${name} is asked for, and is no package of ${root}`);
    if (wanted.has(found)) return;
    for (const need of found.needs) visit(need);
    wanted.add(found);
  };
  for (const name of names ?? published.map(({ manifest }) => manifest.name)) visit(name);
  return [...wanted];
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
