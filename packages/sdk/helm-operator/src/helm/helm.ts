import type { JsonObject } from "../json.ts";
import type { Hook } from "../release/release.ts";

/** The name and the namespace of a release. */
export interface ReleaseKey {
  readonly name: string;
  readonly namespace: string;
}

/** A release with the chart and the values that it should have. */
export interface ReleaseRequest extends ReleaseKey {
  /** Path of the chart, a folder or a .tgz. helm does not look for it anywhere else. */
  readonly chart: string;
  /** Values without the chart's defaults: helm merges the two. */
  readonly values: JsonObject;
}

/** What an install or upgrade would apply. */
export interface Rendered {
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  readonly notes?: string;
}

/** Options of every call that runs helm. */
export interface RunOptions {
  /** Stops helm as Ctrl-C would, and kills it if it does not end. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link Helm.dryRun}. */
export interface DryRunOptions extends RunOptions {
  /**
   * Whether templates see the cluster (`lookup`, its version and APIs), and the server must serve each
   * object's kind. Default true. Use false for a chart whose CRDs are not installed yet, because it brings
   * them along.
   */
  readonly server?: boolean | undefined;
}

/** Options of the operations that change a release. */
export interface OperationOptions extends RunOptions {
  /** Run no hooks. Default false. */
  readonly disableHooks?: boolean | undefined;
  /** The description that `helm history` shows. Default: helm's own words. */
  readonly description?: string | undefined;
  /** Milliseconds for each of helm's waits, such as that for a hook's Job. Default: helm's 5 minutes. */
  readonly timeout?: number | undefined;
}

/** Options of the operations that apply a chart. */
export interface ApplyOptions extends OperationOptions {
  /**
   * A dry run on the server has validated the objects just before. helm does not validate them again, for which it
   * would read the OpenAPI documents of their groups. Default false.
   */
  readonly validated?: boolean | undefined;
}

/** Options of {@link Helm.install}. */
export interface InstallOptions extends ApplyOptions {
  /** Labels of the release, besides helm's own. Later operations keep them. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Replace a release of that name that was uninstalled and whose history was kept. Default false. */
  readonly replace?: boolean | undefined;
}

/** Options of {@link Helm.upgrade}. */
export interface UpgradeOptions extends ApplyOptions {
  /** Labels to add to those of the release. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Replace objects instead of patching them, for fields that are immutable. Default false. */
  readonly force?: boolean | undefined;
  /** Revisions to keep; 0 keeps all. Default: helm's 10. */
  readonly maxHistory?: number | undefined;
}

/** Options of {@link Helm.rollback}. */
export interface RollbackOptions extends Omit<OperationOptions, "description"> {
  /** The revision to deploy again. Default: the one before the newest. */
  readonly revision?: number | undefined;
  /** Revisions to keep; 0 keeps all. Default: helm's 10. */
  readonly maxHistory?: number | undefined;
}

/** Options of {@link Helm.uninstall}. */
export interface UninstallOptions extends OperationOptions {
  /** Wait until all objects are deleted. Default false. */
  readonly wait?: boolean | undefined;
}

/**
 * Runs helm. Read the result from the release's Secrets (releaseHistory), not from helm's output.
 *
 * Every method rejects with HelmError when helm fails or is stopped. At most `maxProcesses` run at a time.
 * The others wait in order, and can be cancelled meanwhile.
 */
export interface Helm {
  /** Returns the version without a leading v: "4.2.3". */
  version(options?: RunOptions): Promise<string>;
  /**
   * Renders what an upgrade would apply, or an install when there is no such release. Writes nothing.
   *
   * @throws ReleaseTooLarge when the release would not fit a Secret
   */
  dryRun(request: ReleaseRequest, options?: DryRunOptions): Promise<Rendered>;
  /**
   * Installs a release. helm writes the chart's crds/ before it renders the chart, so make a dry run first.
   */
  install(request: ReleaseRequest, options?: InstallOptions): Promise<void>;
  /** Upgrades a release. Values of the revision before are not kept. */
  upgrade(request: ReleaseRequest, options?: UpgradeOptions): Promise<void>;
  /** Rolls a release back to an older revision. helm makes a new revision of it. */
  rollback(release: ReleaseKey & RollbackOptions): Promise<void>;
  /** Uninstalls a release, also an unfinished one. Succeeds when the release does not exist. */
  uninstall(release: ReleaseKey & UninstallOptions): Promise<void>;
  /** Stops all processes, and removes every file. Afterwards every call rejects. May be called twice. */
  dispose(): Promise<void>;
}
