import { join } from "node:path";
import { goBuild } from "./control-plane/go-build.ts";
import { downloadTool, type Fetch, officialRelease, type Release } from "./download.ts";
import { installedTool } from "./install.ts";
import { npmTool, toolPackage } from "./npm-package.ts";
import { executablesOnPath } from "./on-path.ts";
import { probeVersion } from "./probe-version.ts";
import { type Miss, ToolNotFoundError } from "./tool-not-found.ts";
import { userDirectories } from "./user-directories.ts";
import type { ToolName } from "./versions.ts";

/** A tool with a suitable version. It was run once to check it. */
export interface FoundTool {
  readonly name: ToolName;
  /**
   * Absolute path. For every source but PATH, its directory holds no other command and can be put on a PATH.
   */
  readonly path: string;
  /** Without a leading `v`. */
  readonly version: string;
  readonly source: "PATH" | "npm" | "cache" | "go build" | "download";
}

export interface FindToolOptions {
  /** The environment whose PATH and XDG_CACHE_HOME are used. Default: this process's. */
  readonly env?: NodeJS.ProcessEnv;
  /** Default: the user's cache directory of operator-path. */
  readonly cacheDirectory?: string;
  /** kind only: whether to build it if Go is on the PATH, which takes half a minute once. Default true. */
  readonly mayBuild?: boolean;
  /** Asks for consent before a download. Default: nothing is downloaded. */
  readonly mayDownload?: (release: Release) => boolean | Promise<boolean>;
  readonly fetch?: Fetch;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  /**
   * Receives one line for each place that is skipped and each step that takes time. Default: lines are
   * dropped.
   */
  readonly log?: (line: string) => void;
}

/**
 * Finds a tool that satisfies `toolRequirements`: on PATH → in the npm package that comes with the
 * installation (kubectl, helm) → in the cache → built with Go from its module (kind) → from the official
 * release, checked against its published checksum, if `mayDownload` agrees.
 *
 * The returned executable has reported a suitable version on this machine. The cache never holds a partial
 * tool. Several processes may call this at once.
 *
 * @throws ToolNotFoundError when the tool is not available
 * @throws Error for a full disk, a failed download or a wrong checksum
 */
export async function findTool(name: ToolName, options: FindToolOptions = {}): Promise<FoundTool> {
  const { env = process.env, log = () => undefined } = options;
  const { platform = process.platform, arch = process.arch } = options;
  const tools = join(options.cacheDirectory ?? userDirectories(env).cache, "tools");
  const misses: Miss[] = [];
  const miss = (where: string, why: string): void => {
    misses.push({ where, why });
    log(`${name}: ${where} ${why}`);
  };

  const onPath = await executablesOnPath(name, env);
  if (onPath.length === 0) miss("PATH", `has no ${name}`);
  for (const path of onPath) {
    const probe = await probeVersion(name, path, env);
    if ("problem" in probe) miss(path, probe.problem);
    else if (!probe.fits) miss(path, `is ${probe.version}`);
    else return { name, path, version: probe.version, source: "PATH" };
  }

  if (name !== "kind") {
    const fromNpm = await npmTool(name, { tools, platform, arch, log });
    if ("problem" in fromNpm) miss(toolPackage, fromNpm.problem);
    else return { name, ...fromNpm, source: "npm" };
  }

  const release = officialRelease(name, platform, arch);
  const directory = "problem" in release ? `${name}-${platform}-${arch}` : release.directory;
  const cached = await installedTool(name, tools, directory);
  if (cached) return { name, ...cached, source: "cache" };
  if (!("problem" in release)) miss(tools, `has no ${directory}`);

  if (name === "kind") {
    const built =
      (options.mayBuild ?? true)
        ? await goBuild(name, { env, tools, directory, log })
        : { problem: "was disabled" };
    if (!("problem" in built)) return { name, ...built, source: "go build" };
    miss("go build", built.problem);
  }

  if ("problem" in release) {
    miss("download", release.problem);
    throw new ToolNotFoundError(name, misses);
  }
  if (await options.mayDownload?.(release)) {
    log(`${name}: downloading ${release.url}`);
    const downloaded = await downloadTool(release, tools, options.fetch ?? fetch);
    return { name, ...downloaded, source: "download" };
  }
  miss(release.url, "was not downloaded, because it needs consent");
  throw new ToolNotFoundError(name, misses);
}
