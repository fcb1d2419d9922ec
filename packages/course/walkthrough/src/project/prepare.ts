import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { deriveLockfile, type PackedPackage, packPackages, writeDist } from "@operator-path/operator-sdk";
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
  mkdirSync(o.packages, { recursive: true });
  const copies = packed.map((found): PackedPackage => {
    const tarball = join(o.packages, basename(found.tarball));
    copyFileSync(found.tarball, tarball);
    return { ...found, tarball };
  });

  const workspaceLockfile = readFileSync(join(o.root, "pnpm-lock.yaml"), "utf8");
  let written: string | undefined;
  const write = (learner: string, packageJson: string, strict: boolean): void => {
    const reference = (found: PackedPackage): string =>
      `file:${relative(learner, found.tarball).split(sep).join("/")}`;
    const lockfile = deriveLockfile({
      workspaceLockfile,
      importer: o.project.split(sep).join("/"),
      packageJson,
      packed: copies,
      folder: learner,
    });
    writeFileSync(join(learner, "pnpm-lock.yaml"), lockfile);
    writeFileSync(join(learner, "pnpm-workspace.yaml"), settings(copies, reference, storeDir, strict));
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
 * Packs what a project needs of this workspace, so that it is there when somebody asks: for `operator-sdk init` in the
 * page, and for the committed project, which runs where it is. Nothing while there is no such project.
 */
export async function packNeeds({
  root,
  project,
  signal,
}: Omit<PrepareOptions, "packages">): Promise<PackedPackage[]> {
  const manifest = join(root, project, "package.json");
  if (!existsSync(manifest)) return [];
  const names = workspaceDependencies(readFileSync(manifest, "utf8"));
  if (names.length === 0) return [];
  const packed = await packPackages({ root, names, ...(signal && { signal }) });
  await writeDist(root, packed);
  return packed;
}

function settings(
  packed: readonly PackedPackage[],
  reference: (found: PackedPackage) => string,
  storeDir: string,
  strict: boolean,
): string {
  const comment =
    "# Written by the walkthrough: until they are published, the packages come from tarballs of the repository.\n";
  return (
    comment +
    stringify({
      overrides: Object.fromEntries(packed.map((found) => [found.name, reference(found)])),
      autoInstallPeers: false,
      pmOnFail: "ignore",
      // Everything is in the store since the repository's own install, which has checked this very lockfile.
      ...(strict ? { offline: true, frozenLockfile: true } : { preferOffline: true }),
      trustLockfile: true,
      storeDir,
      verifyDepsBeforeRun: false,
      allowBuilds: { esbuild: true },
    })
  );
}

function workspaceDependencies(packageJson: string): string[] {
  const manifest = JSON.parse(packageJson) as Record<string, Record<string, string> | undefined>;
  const all = { ...manifest.dependencies, ...manifest.devDependencies };
  return Object.keys(all).filter((name) => name.startsWith("@operator-path/"));
}
