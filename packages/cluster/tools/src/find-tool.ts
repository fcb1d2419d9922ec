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

/** A tool that was found, run once, and fits. */
export interface FoundTool {
  readonly name: ToolName;
  /** Absolute. For every source but PATH its directory holds no other command, so it can go on a PATH. */
  readonly path: string;
  /** Without a leading `v`. */
  readonly version: string;
  readonly source: "PATH" | "npm" | "cache" | "go build" | "download";
}

export interface FindToolOptions {
  /** Whose PATH (and XDG_CACHE_HOME) counts. Default: the process's. */
  readonly env?: NodeJS.ProcessEnv;
  /** Default: the user's cache directory of operator-path. */
  readonly cacheDirectory?: string;
  /** kind only: whether it may be built (half a minute, once) where Go is on the PATH. Default true. */
  readonly mayBuild?: boolean;
  /** Asked before anything is downloaded. Default: nothing ever is. */
  readonly mayDownload?: (release: Release) => boolean | Promise<boolean>;
  readonly fetch?: Fetch;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  /** Told what is passed over and what takes time, a line at a time. Default: nobody. */
  readonly log?: (line: string) => void;
}

/**
 * Finds a tool that fits `toolRequirements`: on PATH → in the npm package that comes with the installation (kubectl,
 * helm) → in the cache → built with Go from its module (kind) → from the official release, checked against its published
 * checksum, if `mayDownload` agrees.
 *
 * Promised: the returned executable has answered with a fitting version on this machine; the cache never holds a
 * half-written tool; callers in several processes do not disturb each other. Throws ToolNotFoundError when there
 * is none, and ordinary errors for a full disk, a failed download or a wrong checksum.
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
        : { problem: "was not wanted" };
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
  miss(release.url, "was not downloaded: nobody agreed to it");
  throw new ToolNotFoundError(name, misses);
}
