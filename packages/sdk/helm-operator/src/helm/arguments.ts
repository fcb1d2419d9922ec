import type {
  ApplyOptions,
  DryRunOptions,
  InstallOptions,
  ReleaseKey,
  ReleaseRequest,
  RollbackOptions,
  UninstallOptions,
  UpgradeOptions,
} from "./helm.ts";

/** The major versions of helm whose flags are known here. */
type HelmMajor = 3 | 4;

/** Flags that differ between the major versions. */
const flags = {
  3: { force: ["--force"], apply: [], installApply: [] },
  4: {
    // Helm 4 does not replace what it applies server-side.
    force: ["--server-side=false", "--force-replace"],
    // The chart's value wins, whatever applied the release before, and whichever manager has written a field.
    apply: ["--server-side=true", "--force-conflicts"],
    installApply: ["--force-conflicts"],
  },
} as const satisfies Record<HelmMajor, Record<string, readonly string[]>>;

/** helm reads the values from its standard input. */
const values = "--values=-";

/** Without it, an upgrade without values would keep those of the release before. */
const resetValues = "--reset-values";

export function dryRunArguments(request: ReleaseRequest, { server = true }: DryRunOptions): string[] {
  const mode = `--dry-run=${server ? "server" : "client"}`;
  return ["upgrade", "--install", mode, "--output=json", resetValues, values, ...chartOf(request)];
}

export function installArguments(
  major: HelmMajor,
  request: ReleaseRequest,
  options: InstallOptions,
): string[] {
  const replace = options.replace ? ["--replace"] : [];
  const apply = flags[major].installApply;
  const own = [...apply, ...replace, ...validation(options), ...labels(options), ...common(options)];
  return ["install", ...own, values, ...chartOf(request)];
}

export function upgradeArguments(
  major: HelmMajor,
  request: ReleaseRequest,
  options: UpgradeOptions,
): string[] {
  const apply = options.force ? flags[major].force : flags[major].apply;
  const kept = [...historyMax(options), ...labels(options), ...common(options)];
  const own = [...apply, ...validation(options), ...kept, resetValues, values];
  return ["upgrade", ...own, ...chartOf(request)];
}

export function rollbackArguments(major: HelmMajor, release: ReleaseKey & RollbackOptions): string[] {
  const { name, namespace, revision, disableHooks, timeout } = release;
  // helm describes a rollback itself.
  const own = [...flags[major].apply, ...historyMax(release), ...common({ disableHooks, timeout })];
  const to = revision === undefined ? [] : [String(revision)];
  return ["rollback", ...own, `--namespace=${namespace}`, "--", name, ...to];
}

export function uninstallArguments(release: ReleaseKey & UninstallOptions): string[] {
  const { name, namespace, wait } = release;
  const own = ["--ignore-not-found", ...(wait ? ["--wait"] : []), ...common(release)];
  return ["uninstall", ...own, `--namespace=${namespace}`, "--", name];
}

function chartOf({ name, namespace, chart }: ReleaseRequest): string[] {
  return [`--namespace=${namespace}`, "--", name, chart];
}

function common(options: { disableHooks?: unknown; description?: unknown; timeout?: unknown }): string[] {
  const { disableHooks, description, timeout } = options;
  return [
    ...(disableHooks ? ["--no-hooks"] : []),
    ...(description === undefined ? [] : [`--description=${description}`]),
    ...(timeout === undefined ? [] : [`--timeout=${timeout}ms`]),
  ];
}

function validation({ validated }: ApplyOptions): string[] {
  return validated ? ["--disable-openapi-validation"] : [];
}

function labels({ labels = {} }: Pick<InstallOptions, "labels">): string[] {
  const all = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return all.length > 0 ? [`--labels=${all.join(",")}`] : [];
}

function historyMax({ maxHistory }: { maxHistory?: number | undefined }): string[] {
  return maxHistory === undefined ? [] : [`--history-max=${maxHistory}`];
}

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
