import type {
  DryRunOptions,
  InstallOptions,
  ReleaseKey,
  ReleaseRequest,
  RollbackOptions,
  UninstallOptions,
  UpgradeOptions,
} from "./helm.ts";

/** The versions of helm whose flags are known here. */
export type HelmMajor = 3 | 4;

/** What is called otherwise in another major version. */
const flags = {
  3: { force: ["--force"], apply: [], installApply: [] },
  4: {
    // Helm 4 replaces nothing that it applies server-side.
    force: ["--server-side=false", "--force-replace"],
    // Whatever applied the release before, and whoever else has written to a field that the chart sets: the chart says.
    apply: ["--server-side=true", "--force-conflicts"],
    installApply: ["--force-conflicts"],
  },
} as const satisfies Record<HelmMajor, Record<string, readonly string[]>>;

/** The values are what helm has for its standard input. */
const values = "--values=-";

/** Without it, an upgrade that is given no values would keep those of the release before. */
const noOthers = "--reset-values";

export function dryRunArguments(request: ReleaseRequest, { server = true }: DryRunOptions): string[] {
  const mode = `--dry-run=${server ? "server" : "client"}`;
  return ["upgrade", "--install", mode, "--output=json", noOthers, values, ...chartOf(request)];
}

export function installArguments(
  major: HelmMajor,
  request: ReleaseRequest,
  options: InstallOptions,
): string[] {
  const replace = options.replace ? ["--replace"] : [];
  const apply = flags[major].installApply;
  const own = [...apply, ...replace, ...labels(options), ...common(options)];
  return ["install", ...own, values, ...chartOf(request)];
}

export function upgradeArguments(
  major: HelmMajor,
  request: ReleaseRequest,
  options: UpgradeOptions,
): string[] {
  const apply = options.force ? flags[major].force : flags[major].apply;
  const own = [...apply, ...historyMax(options), ...labels(options), ...common(options), noOthers, values];
  return ["upgrade", ...own, ...chartOf(request)];
}

export function rollbackArguments(major: HelmMajor, release: ReleaseKey & RollbackOptions): string[] {
  const { name, namespace, revision, disableHooks, timeout } = release;
  // A rollback's description is helm's own.
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

function labels({ labels = {} }: Pick<InstallOptions, "labels">): string[] {
  const all = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return all.length > 0 ? [`--labels=${all.join(",")}`] : [];
}

function historyMax({ maxHistory }: { maxHistory?: number | undefined }): string[] {
  return maxHistory === undefined ? [] : [`--history-max=${maxHistory}`];
}
