import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import {
  copyTarballs,
  deriveLockfile,
  overridesFor,
  type PackedPackage,
  packDependencies,
  writeDist,
} from "@operator-path/operator-sdk";
import { stringify } from "yaml";
import { pnpmStore } from "./pnpm-store.ts";

/** Files that make a learner's folder installable outside the workspace; closure leaves them out. */
export const projectFiles = ["pnpm-workspace.yaml", "pnpm-lock.yaml"] as const;

export interface PrepareOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** The committed project, relative to the root: `tutorials/01-podbuggertool/podbuggertool`. */
  readonly project: string;
  /** Where the tarballs are put for this run. */
  readonly packages: string;
  readonly signal?: AbortSignal;
}

export interface PreparedProject {
  /**
   * Writes `pnpm-workspace.yaml` and `pnpm-lock.yaml` beside the learner's package.json, if there is one and it has
   * changed: so `pnpm install` needs no network. Throws an Error when package.json asks for what the repository never locked.
   */
  sync(learner: string): void;
  /**
   * The same for a folder that a person works in, before there is a package.json: for the dependencies of the committed
   * project. What it locks is installed without network; for anything else pnpm may ask the registry.
   */
  seed(learner: string): void;
}

/** Packs what the committed project needs of this workspace. Undefined when it needs nothing. */
export async function prepareProject(o: PrepareOptions): Promise<PreparedProject | undefined> {
  const manifest = join(o.root, o.project, "package.json");
  const packed = await packNeeds(o);
  if (packed.length === 0) return undefined;
  const storeDir = await pnpmStore(o.root, o.signal);
  const copies = await copyTarballs(packed, o.packages);
  const workspaceLockfile = readFileSync(join(o.root, "pnpm-lock.yaml"), "utf8");
  let written: string | undefined;
  const write = (learner: string, packageJson: string, strict: boolean): void => {
    const lockfile = deriveLockfile({
      workspaceLockfile,
      importer: o.project.split(sep).join("/"),
      packageJson,
      packed: copies,
      folder: learner,
    });
    writeFileSync(join(learner, "pnpm-lock.yaml"), lockfile);
    writeFileSync(
      join(learner, "pnpm-workspace.yaml"),
      settings(overridesFor(copies, learner), storeDir, strict),
    );
  };
  return {
    sync(learner) {
      const file = join(learner, "package.json");
      if (!existsSync(file)) return;
      const packageJson = readFileSync(file, "utf8");
      if (packageJson === written) return;
      write(learner, packageJson, true);
      written = packageJson;
    },
    seed: (learner) => write(learner, readFileSync(manifest, "utf8"), false),
  };
}

/**
 * Packs the packages of this workspace that a project needs, ahead of their use by `operator-sdk init` in the page and
 * by the committed project. Returns an empty list while there is no such project.
 */
export async function packNeeds({
  root,
  project,
  signal,
}: Omit<PrepareOptions, "packages">): Promise<PackedPackage[]> {
  const manifest = join(root, project, "package.json");
  if (!existsSync(manifest)) return [];
  const packageJson = readFileSync(manifest, "utf8");
  const packed = await packDependencies({ root, packageJson, ...(signal && { signal }) });
  await writeDist(root, packed);
  return packed;
}

/**
 * The same for several projects, all at once: one compilation takes little longer than each of two would.
 */
export async function packAllNeeds(
  root: string,
  projects: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const dependencies: Record<string, string> = {};
  for (const project of projects) {
    const manifest = join(root, project, "package.json");
    if (!existsSync(manifest)) continue;
    const asked = JSON.parse(readFileSync(manifest, "utf8")) as Record<string, Record<string, string>>;
    Object.assign(dependencies, asked.dependencies, asked.devDependencies);
  }
  const packageJson = JSON.stringify({ dependencies });
  await packDependencies({ root, packageJson, ...(signal && { signal }) });
}

function settings(overrides: Record<string, string>, storeDir: string, strict: boolean): string {
  const comment =
    "# Written by the walkthrough: until they are published, the packages come from tarballs of the repository.\n";
  return (
    comment +
    stringify({
      overrides,
      autoInstallPeers: false,
      pmOnFail: "ignore",
      // Everything is in the store since the repository's own install, which has checked this very lockfile.
      ...(strict ? { offline: true, frozenLockfile: true } : { preferOffline: true }),
      trustLockfile: true,
      storeDir,
      verifyDepsBeforeRun: false,
      allowBuilds: { esbuild: true, node: true },
    })
  );
}
