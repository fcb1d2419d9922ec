import type { JsonObject } from "../json.ts";
import type { Hook } from "../release/release.ts";

export interface ReleaseKey {
  readonly name: string;
  readonly namespace: string;
}

export interface ReleaseRequest extends ReleaseKey {
  /** Path of the chart, a folder or a .tgz. Helm never looks for it anywhere else. */
  readonly chart: string;
  /** Those that are not the chart's own defaults: helm puts the two together. */
  readonly values: JsonObject;
}

/** What an install or upgrade would apply. */
export interface Rendered {
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  readonly notes?: string;
}

export interface RunOptions {
  /** Stops helm as Ctrl-C would, and hard when it does not end. */
  readonly signal?: AbortSignal | undefined;
}

export interface DryRunOptions extends RunOptions {
  /**
   * Whether templates see the cluster (`lookup`, its version and APIs), and each object's kind has to be served. Default
   * true. False shows that a chart renders whose custom resources' kinds are yet to be installed, with it.
   */
  readonly server?: boolean | undefined;
}

export interface OperationOptions extends RunOptions {
  readonly disableHooks?: boolean | undefined;
  /** What `helm history` shows. Default: helm's own words. */
  readonly description?: string | undefined;
  /** Milliseconds for each of helm's waits, for a hook's Job say. Default: helm's 5 minutes. */
  readonly timeout?: number | undefined;
}

export interface InstallOptions extends OperationOptions {
  /** Of the release, beside helm's own: what comes after the install keeps them, and `helm list --selector` finds them. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** In place of a release of that name that was uninstalled and whose history was kept. */
  readonly replace?: boolean | undefined;
}

export interface UpgradeOptions extends OperationOptions {
  /** Added to those that the release has. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Replaces objects instead of patching them: for a field that may not be changed. */
  readonly force?: boolean | undefined;
  /** Revisions that are kept; 0 is all of them. Default: helm's 10. */
  readonly maxHistory?: number | undefined;
}

export interface RollbackOptions extends Omit<OperationOptions, "description"> {
  /** Default: the one before the newest. */
  readonly revision?: number | undefined;
  readonly maxHistory?: number | undefined;
}

export interface UninstallOptions extends OperationOptions {
  /** Until what was deleted is gone. */
  readonly wait?: boolean | undefined;
}

/**
 * Runs helm. What a release is afterwards is for its Secrets to say (releaseHistory), not for helm's output.
 *
 * Each function rejects with HelmError when helm does not succeed, or was stopped. At most `maxProcesses` run at a time;
 * the others wait in order, and can be cancelled while they do.
 */
export interface Helm {
  /** Without a leading v: "4.2.3". */
  version(options?: RunOptions): Promise<string>;
  /**
   * What an upgrade, or the install when there is no such release, would apply. Writes nothing.
   *
   * @throws ReleaseTooLarge when no Secret could hold the release
   */
  dryRun(request: ReleaseRequest, options?: DryRunOptions): Promise<Rendered>;
  /** Helm writes what is in the chart's crds/ before it renders the chart: whoever wants all or nothing makes a dry run first. */
  install(request: ReleaseRequest, options?: InstallOptions): Promise<void>;
  upgrade(request: ReleaseRequest, options?: UpgradeOptions): Promise<void>;
  rollback(release: ReleaseKey & RollbackOptions): Promise<void>;
  /** Also one that was not finished, and one that is not there. */
  uninstall(release: ReleaseKey & UninstallOptions): Promise<void>;
  /** Stops what runs, and removes every file that was written. Afterwards everything rejects. Can be called twice. */
  dispose(): Promise<void>;
}
