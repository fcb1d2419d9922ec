import { isAbsolute, join } from "node:path";
import { downloadTool, type Fetch, officialRelease, type Release } from "../download.ts";
import { installedTool } from "../install.ts";
import { isExecutable } from "../on-path.ts";
import { probeVersion } from "../probe-version.ts";
import { type Miss, ToolNotFoundError } from "../tool-not-found.ts";
import { userDirectories } from "../user-directories.ts";
import type { ControlPlaneProgram } from "../versions.ts";
import { goBuild } from "./go-build.ts";

/** A program of the control plane with a suitable version. It was run once to check it. */
export interface FoundProgram {
  readonly name: ControlPlaneProgram;
  /** Absolute path. */
  readonly path: string;
  /** Without a leading `v`. */
  readonly version: string;
  readonly source: "KUBEBUILDER_ASSETS" | "cache" | "go build" | "download";
}

/** The programs of a real control plane. */
export interface ControlPlane {
  readonly etcd: FoundProgram;
  readonly apiserver: FoundProgram;
  /** Set if it was requested. */
  readonly controllerManager?: FoundProgram;
}

export interface FindControlPlaneOptions {
  /**
   * The environment whose KUBEBUILDER_ASSETS, PATH (for `go`) and XDG_CACHE_HOME are used. Default: this
   * process's.
   */
  readonly env?: NodeJS.ProcessEnv;
  /** Default: the user's cache directory of operator-path. */
  readonly cacheDirectory?: string;
  /** Whether to find kube-controller-manager too. Default false. */
  readonly controllerManager?: boolean;
  /** Whether to build missing programs if Go is installed, which takes minutes. Default true. */
  readonly mayBuild?: boolean;
  /** Asks for consent before a download from a release site. Default: nothing is downloaded. */
  readonly mayDownload?: (release: Release) => boolean | Promise<boolean>;
  readonly fetch?: Fetch;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  /**
   * Receives one line for each program that is skipped, built, downloaded or used. Default: lines are
   * dropped.
   */
  readonly log?: (line: string) => void;
}

/**
 * Finds etcd, kube-apiserver and, if requested, kube-controller-manager, each by itself: in the folder that
 * KUBEBUILDER_ASSETS names (envtest's variable) → in the cache → built with Go from its module → from the
 * official release, checked against its published checksum, if `mayDownload` agrees.
 *
 * Each returned program has reported a suitable version on this machine. The cache never holds a partial
 * program. If several processes ask at once, one builds.
 *
 * @throws ToolNotFoundError when a program is not available
 * @throws Error when a build or a download fails
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
    // A user who set the variable needs to know why it is ignored.
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
  } else miss("go build", "was disabled");

  if ("problem" in release) miss("download", release.problem);
  else if (await options.mayDownload?.(release)) {
    log(`${name}: downloading ${release.url}`);
    return found({
      ...(await downloadTool(release, tools, options.fetch ?? fetch)),
      source: "download",
    });
  } else miss(release.url, "was not downloaded, because it needs consent");
  throw new ToolNotFoundError(name, misses);
}

async function fromAssets(
  name: ControlPlaneProgram,
  env: NodeJS.ProcessEnv,
): Promise<{ path: string; version: string } | { problem: string }> {
  const folder = env.KUBEBUILDER_ASSETS;
  if (!folder) return { problem: "is not set" };
  if (!isAbsolute(folder)) return { problem: `is ${folder}, but must be an absolute path` };
  const path = join(folder, name);
  if (!(await isExecutable(path))) return { problem: `(${folder}) has no ${name}` };
  const probe = await probeVersion(name, path, env);
  if ("problem" in probe) return { problem: `has a ${name} that ${probe.problem}` };
  if (!probe.fits) return { problem: `has ${name} ${probe.version}` };
  return { path, version: probe.version };
}
