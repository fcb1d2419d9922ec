import type { HelmMajor } from "./arguments.ts";

/** Returns "4.2.3" of "v4.2.3+g43e8b7f"; undefined when it is not a version. */
export function parseVersion(printed: string): string | undefined {
  return /^v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)/.exec(printed.trim())?.[1];
}

/**
 * Returns the major version, if it is supported. Helm 3 before 3.15 overlooks that a release was uninstalled
 * and its history kept, so its dry run of an install fails.
 */
export function majorOf(version: string): HelmMajor | undefined {
  const [major, minor] = version.split(".").map(Number);
  if (major === 4) return 4;
  return major === 3 && (minor ?? 0) >= 15 ? 3 : undefined;
}
