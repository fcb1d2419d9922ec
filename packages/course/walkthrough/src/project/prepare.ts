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

/**
 * Files that make a learner's folder installable outside of the workspace. The closure check ignores them.
 */
export const projectFiles = ["pnpm-workspace.yaml", "pnpm-lock.yaml"] as const;

export interface PrepareOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** The committed project, relative to the root: `tutorials/01-podbuggertool/podbuggertool`. */
  readonly project: string;
  /**
   * The committed project that the page starts from, if it is another one. Its packages are packed too.
   * Default: none.
   */
  readonly startProject?: string | undefined;
  /** Folder for this run's tarballs. */
  readonly packages: string;
  readonly signal?: AbortSignal;
}

export interface PreparedProject {
  /**
   * Writes `pnpm-workspace.yaml` and `pnpm-lock.yaml` beside the learner's package.json if that has changed,
   * so that `pnpm install` needs no network. Throws an Error if package.json needs a package that the
   * repository does not lock.
   */
  sync(learner: string): void;
  /**
   * Writes the same files for a person's folder before it has a package.json: for the dependencies of the
   * committed project. Locked packages install without network. For others, pnpm may ask the registry.
   */
  seed(learner: string): void;
}

/** Packs the workspace packages that the committed project needs. Undefined if it needs none. */
export async function prepareProject(options: PrepareOptions): Promise<PreparedProject | undefined> {
  const manifest = join(options.root, options.project, "package.json");
  const packed = await packNeeds(options);
  if (packed.length === 0) return undefined;
  const storeDir = await pnpmStore(options.root, options.signal);
  const copies = await copyTarballs(packed, options.packages);
  const workspaceLockfile = readFileSync(join(options.root, "pnpm-lock.yaml"), "utf8");
  let written: string | undefined;
  const write = (learner: string, packageJson: string, strict: boolean): void => {
    const lockfile = deriveLockfile({
      workspaceLockfile,
      importer: options.project.split(sep).join("/"),
      ...(options.startProject && { otherImporter: options.startProject.split(sep).join("/") }),
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
 * Packs the workspace packages that a project needs, for `operator-sdk init` in the page and for the
 * committed project. Returns an empty list if the project does not exist.
 */
export async function packNeeds({
  root,
  project,
  startProject,
  signal,
}: Omit<PrepareOptions, "packages">): Promise<PackedPackage[]> {
  const packageJson = mergedManifest(root, startProject ? [startProject, project] : [project]);
  if (packageJson === undefined) return [];
  const packed = await packDependencies({ root, packageJson, ...(signal && { signal }) });
  await writeDist(root, packed);
  return packed;
}

/**
 * Packs the packages for several projects in one compilation, which takes little longer than one of several
 * would.
 */
export async function packAllNeeds(
  root: string,
  projects: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const packageJson = mergedManifest(root, projects) ?? "{}";
  await packDependencies({ root, packageJson, ...(signal && { signal }) });
}

/** Returns a package.json with the dependencies of these projects, or undefined if none of them exists. */
function mergedManifest(root: string, projects: readonly string[]): string | undefined {
  const manifests = projects.map((project) => join(root, project, "package.json")).filter(existsSync);
  if (manifests.length === 0) return undefined;
  const dependencies: Record<string, string> = {};
  for (const manifest of manifests) {
    const asked = JSON.parse(readFileSync(manifest, "utf8")) as Record<string, Record<string, string>>;
    Object.assign(dependencies, asked.dependencies, asked.devDependencies);
  }
  return JSON.stringify({ dependencies });
}

function settings(overrides: Record<string, string>, storeDir: string, strict: boolean): string {
  const comment =
    "# Written by the walkthrough: until they are published, the packages come from tarballs of the repository.\n";
  return (
    comment +
    stringify({
      overrides,
      autoInstallPeers: false,
      // Peers of the package that brings kubectl. Nothing uses them, so their absence needs no warning.
      peerDependencyRules: { ignoreMissing: ["aws-cdk-lib", "constructs"] },
      pmOnFail: "ignore",
      // The repository's own install checked this lockfile, and filled the store.
      ...(strict ? { offline: true, frozenLockfile: true } : { preferOffline: true }),
      trustLockfile: true,
      storeDir,
      verifyDepsBeforeRun: false,
      allowBuilds: { "@mongodb-js/zstd": false, esbuild: true, node: true, "node-liblzma": false },
    })
  );
}
