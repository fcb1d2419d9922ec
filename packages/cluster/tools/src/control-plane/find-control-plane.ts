import { isAbsolute, join } from "node:path";
import { downloadTool, type Fetch, officialRelease, type Release } from "../download.ts";
import { installedTool } from "../install.ts";
import { isExecutable } from "../on-path.ts";
import { probeVersion } from "../probe-version.ts";
import { type Miss, ToolNotFoundError } from "../tool-not-found.ts";
import { userDirectories } from "../user-directories.ts";
import type { ControlPlaneProgram } from "../versions.ts";
import { goBuild } from "./go-build.ts";

/** A program of the control plane that was found, run once, and fits. */
export interface FoundProgram {
  readonly name: ControlPlaneProgram;
  /** Absolute. */
  readonly path: string;
  /** Without a leading `v`. */
  readonly version: string;
  readonly source: "KUBEBUILDER_ASSETS" | "cache" | "go build" | "download";
}

/** What a real control plane is started from. */
export interface ControlPlane {
  readonly etcd: FoundProgram;
  readonly apiserver: FoundProgram;
  /** Only when it was asked for. */
  readonly controllerManager?: FoundProgram;
}

export interface FindControlPlaneOptions {
  /** Whose KUBEBUILDER_ASSETS, PATH (for `go`) and XDG_CACHE_HOME count. Default: the process's. */
  readonly env?: NodeJS.ProcessEnv;
  /** Default: the user's cache directory of operator-path. */
  readonly cacheDirectory?: string;
  /** Whether kube-controller-manager is needed too. Default false. */
  readonly controllerManager?: boolean;
  /** Whether minutes may be spent building where Go is there. Default true. */
  readonly mayBuild?: boolean;
  /** Asked before anything is downloaded from a release site. Default: nothing ever is. */
  readonly mayDownload?: (release: Release) => boolean | Promise<boolean>;
  readonly fetch?: Fetch;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  /** Told what is passed over, what takes time and what is used, a line at a time. Default: nobody. */
  readonly log?: (line: string) => void;
}

/**
 * Finds etcd, kube-apiserver and, where asked, kube-controller-manager, each by itself: in the folder that
 * KUBEBUILDER_ASSETS names (envtest's variable) → in the cache → built with Go from its module → from the official
 * release, checked against its published checksum, if `mayDownload` agrees.
 *
 * Promised: each has answered with a fitting version on this machine; the cache never holds a half-written program; of
 * several processes that ask at once one builds. Throws ToolNotFoundError when one is nowhere to be had, and ordinary
 * errors for a build or a download that fails.
 */
export async function findControlPlane(options: FindControlPlaneOptions = {}): Promise<ControlPlane> {
  const etcd = await findProgram("etcd", options);
  const apiserver = await findProgram("kube-apiserver", options);
  if (!options.controllerManager) return { etcd, apiserver };
  return { etcd, apiserver, controllerManager: await findProgram("kube-controller-manager", options) };
}

async function findProgram(
  name: ControlPlaneProgram,
  options: FindControlPlaneOptions,
): Promise<FoundProgram> {
  const { env = process.env, log = () => undefined } = options;
  const { platform = process.platform, arch = process.arch } = options;
  const tools = join(options.cacheDirectory ?? userDirectories(env).cache, "tools");
  const misses: Miss[] = [];
  const miss = (where: string, why: string): void => {
    misses.push({ where, why });
  };
  const found = (program: Omit<FoundProgram, "name">): FoundProgram => {
    log(`${name}: using ${program.version} at ${program.path} (${program.source})`);
    return { name, ...program };
  };

  const assets = await fromAssets(name, env);
  if ("problem" in assets) {
    miss("KUBEBUILDER_ASSETS", assets.problem);
    // Whoever has set it wants to know why it is passed over.
    if (env.KUBEBUILDER_ASSETS) log(`${name}: KUBEBUILDER_ASSETS ${assets.problem}`);
  } else return found({ ...assets, source: "KUBEBUILDER_ASSETS" });

  const release = officialRelease(name, platform, arch);
  const directory = "problem" in release ? `${name}-${platform}-${arch}` : release.directory;
  const cached = await installedTool(name, tools, directory);
  if (cached) return found({ ...cached, source: "cache" });
  miss(tools, `has no ${directory}`);

  if (options.mayBuild ?? true) {
    const built = await goBuild(name, { env, tools, directory, log });
    if ("problem" in built) miss("go build", built.problem);
    else return found({ ...built, source: "go build" });
  } else miss("go build", "was not wanted");

  if ("problem" in release) miss("download", release.problem);
  else if (await options.mayDownload?.(release)) {
    log(`${name}: downloading ${release.url}`);
    return found({
      ...(await downloadTool(release, tools, options.fetch ?? fetch)),
      source: "download",
    });
  } else miss(release.url, "was not downloaded: nobody agreed to it");
  throw new ToolNotFoundError(name, misses);
}

async function fromAssets(
  name: ControlPlaneProgram,
  env: NodeJS.ProcessEnv,
): Promise<{ path: string; version: string } | { problem: string }> {
  const folder = env.KUBEBUILDER_ASSETS;
  if (!folder) return { problem: "is not set" };
  if (!isAbsolute(folder)) return { problem: `is ${folder}: an absolute path is needed` };
  const path = join(folder, name);
  if (!(await isExecutable(path))) return { problem: `(${folder}) has no ${name}` };
  const probe = await probeVersion(name, path, env);
  if ("problem" in probe) return { problem: `has a ${name} that ${probe.problem}` };
  if (!probe.fits) return { problem: `has ${name} ${probe.version}` };
  return { path, version: probe.version };
}
