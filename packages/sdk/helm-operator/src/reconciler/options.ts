import type { KubeObject, LabelSelector, Resource } from "@operator-path/client";
import type { EventRecorder, Logger } from "@operator-path/controller-runtime";
import type { Chart } from "../chart/chart.ts";
import type { Helm } from "../helm/helm.ts";
import type { ValueMapper, ValueTranslator } from "../values/values.ts";
import type { HelmAnnotationNames } from "./annotations.ts";
import type { PostHook, PreHook } from "./hooks.ts";

/**
 * Options of a controller for the releases of one chart (Go: reconciler.Option). Durations are milliseconds.
 */
export interface HelmControllerOptions {
  /** A namespaced kind. Each of its objects has the release of its name, in its namespace. */
  resource: Resource;
  /** The chart, from `loadChart`. */
  chart: Chart;
  /** Runs helm, from `createHelm`. */
  helm: Helm;
  /** Override the values of all objects: `{ "image.repository": "registry.example.com/nginx" }`. */
  overrideValues?: Readonly<Record<string, string>> | undefined;
  /** Makes the values of an object, and may read from the cluster. Default: the object's `spec`. */
  valueTranslator?: ValueTranslator | undefined;
  /** Changes the values after translation and overrides. Default: no change. */
  valueMapper?: ValueMapper | undefined;
  /** Run before each install, upgrade, reconcile and uninstall, in order. Errors are logged and ignored. */
  preHooks?: readonly PreHook[] | undefined;
  /** Run after each of them, in order. Errors are logged and ignored. */
  postHooks?: readonly PostHook[] | undefined;
  /**
   * Returns true for objects to leave alone, even when they are deleted:
   * `pausedByAnnotation("example.com/paused")`.
   */
  isPaused?: ((object: KubeObject) => boolean | Promise<boolean>) | undefined;
  /** Only objects with these labels. Default: all. */
  selector?: LabelSelector | string | undefined;
  /** Watch the objects of the releases, and repair them as soon as they change. Default true. */
  watchDependentResources?: boolean | undefined;
  /** Reconcile again after this time, even if nothing has changed. Default: only after changes. */
  reconcilePeriod?: number | undefined;
  /** Reconciles that run at the same time. Default 1. */
  maxConcurrentReconciles?: number | undefined;
  /** Revisions to keep of each release: at least 2, or 0 for all. Default 10. */
  maxReleaseHistory?: number | undefined;
  /** How long `helm uninstall` waits until all objects are deleted. Default 30,000; 0: it does not wait. */
  waitForDeletionTimeout?: number | undefined;
  /** Uninstall a release whose first install failed, before the next try. Default true. */
  uninstallFailedInstall?: boolean | undefined;
  /** Roll a release back after a failed upgrade. Default true. */
  rollbackFailedUpgrade?: boolean | undefined;
  /**
   * How long a release may be pending (being installed, upgraded or rolled back) before it counts as
   * abandoned and is recovered. A manual `helm upgrade` is pending while it runs, for up to helm's own 5
   * minutes. Default 330,000.
   */
  pendingPatience?: number | undefined;
  /** Other names for the annotations. Default: `helmAnnotations`. */
  annotations?: Partial<HelmAnnotationNames> | undefined;
  /** Name of the controller, in its metrics and Events. Default: the kind in lower case with "-helm". */
  name?: string | undefined;
  /** Default: the manager's recorder. */
  eventRecorder?: EventRecorder | undefined;
  /** Default: the controller's logger. */
  log?: Logger | undefined;
  /**
   * Pauses after failures: `base`, doubled each time, up to `max`. Default: from one second to five minutes.
   */
  retryDelays?: { readonly base: number; readonly max: number } | undefined;
}

const withDefaults = {
  watchDependentResources: true,
  maxConcurrentReconciles: 1,
  maxReleaseHistory: 10,
  waitForDeletionTimeout: 30_000,
  uninstallFailedInstall: true,
  rollbackFailedUpgrade: true,
  pendingPatience: 330_000,
  // Each failure may have cost a process.
  retryDelays: { base: 1_000, max: 300_000 },
} satisfies Partial<HelmControllerOptions>;

/** The options with their defaults. */
export type HelmSettings = HelmControllerOptions &
  Required<Pick<HelmControllerOptions, keyof typeof withDefaults>>;

/**
 * Returns the options with their defaults.
 *
 * @throws RangeError or TypeError naming the invalid option
 */
export function helmSettings(options: HelmControllerOptions): HelmSettings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...withDefaults, ...(given as unknown as HelmControllerOptions) };
  const { resource, chart, helm } = settings;
  for (const [name, value] of Object.entries({ resource, chart, helm })) {
    if (!value) throw new TypeError(`a helm controller needs the option ${name}`);
  }
  if (!resource.namespaced) {
    throw new TypeError(
      `${resource.kind} is cluster-scoped, but a release needs a namespace: make the kind namespaced (scope: Namespaced)`,
    );
  }
  const { maxReleaseHistory, waitForDeletionTimeout, pendingPatience, reconcilePeriod } = settings;
  const numbers = { maxReleaseHistory, waitForDeletionTimeout, pendingPatience, reconcilePeriod };
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined || value >= 0) continue;
    throw new RangeError(
      `the helm controller of ${resource.kind}: ${name} is ${value}: it must be 0 or more`,
    );
  }
  // With one revision there would be nothing to roll back to.
  if (!Number.isInteger(maxReleaseHistory) || maxReleaseHistory === 1) {
    throw new RangeError(
      `the helm controller of ${resource.kind}: maxReleaseHistory is ${maxReleaseHistory}: it must be a whole number from 2, or 0 for all`,
    );
  }
  return settings;
}
