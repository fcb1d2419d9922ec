import type { HelmMajor } from "./arguments.ts";

/** "v4.2.3+g43e8b7f" → "4.2.3"; undefined when it is no version. */
export function parseVersion(printed: string): string | undefined {
  return /^v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)/.exec(printed.trim())?.[1];
}

/** Helm 3 before 3.15 does not see that a release was uninstalled whose history was kept: its dry run of an install fails. */
export function majorOf(version: string): HelmMajor | undefined {
  const [major, minor] = version.split(".").map(Number);
  if (major === 4) return 4;
  return major === 3 && (minor ?? 0) >= 15 ? 3 : undefined;
}
