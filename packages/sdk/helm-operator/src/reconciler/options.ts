import type { KubeObject, LabelSelector, Resource } from "@operator-path/client";
import type { EventRecorder, Logger } from "@operator-path/controller-runtime";
import type { Chart } from "../chart/chart.ts";
import type { Helm } from "../helm/helm.ts";
import type { ValueMapper, ValueTranslator } from "../values/value-functions.ts";
import type { HelmAnnotationNames } from "./annotations.ts";
import type { PostHook, PreHook } from "./hooks.ts";

/** How the objects of one kind become releases of one chart (Go: reconciler.Option). Durations are milliseconds. */
export interface HelmControllerOptions {
  /** The kind whose objects are releases: each has the release of its name, in its namespace. */
  resource: Resource;
  chart: Chart;
  helm: Helm;
  /** Values that hold whatever an object says: `{ "image.repository": "registry.example.com/nginx" }`. */
  overrideValues?: Readonly<Record<string, string>> | undefined;
  /** Makes the values of an object; default: they are its `spec`. It may ask the cluster. */
  valueTranslator?: ValueTranslator | undefined;
  /** Changes the values once more, after overrides and translation. */
  valueMapper?: ValueMapper | undefined;
  /** Before each install, upgrade, reconcile and uninstall, in order. One that throws is logged, and nothing else. */
  preHooks?: readonly PreHook[] | undefined;
  /** After each of them. */
  postHooks?: readonly PostHook[] | undefined;
  /** Objects that are left alone, also when they are deleted: `pausedByAnnotation("example.com/paused")`. */
  isPaused?: ((object: KubeObject) => boolean | Promise<boolean>) | undefined;
  /** Only objects with these labels. Default: all. */
  selector?: LabelSelector | string | undefined;
  /** Watch what the releases consist of, and repair it as soon as it changes. Default true. */
  watchDependentResources?: boolean | undefined;
  /** Look again after so long, whether something has changed or not. Default: only when something has. */
  reconcilePeriod?: number | undefined;
  /** Default 1. */
  maxConcurrentReconciles?: number | undefined;
  /** Revisions that are kept of each release. Default 10; 0: all. */
  maxReleaseHistory?: number | undefined;
  /** How long `helm uninstall` waits until everything is gone. Default 30,000; 0: it does not wait. */
  waitForDeletionTimeout?: number | undefined;
  /** A release of which the first install has failed is uninstalled before it is tried again. Default true. */
  uninstallFailedInstall?: boolean | undefined;
  /** A release that an upgrade has failed at goes back to the revision before. Default true. */
  rollbackFailedUpgrade?: boolean | undefined;
  /**
   * A release that is pending (being installed, upgraded or rolled back) for longer than this is taken for abandoned, and
   * recovered. A person's own `helm upgrade` is pending, too, while it runs: for
   * helm's own 5 minutes, say. Default 330,000.
   */
  pendingPatience?: number | undefined;
  /** Names of one's own for annotations. */
  annotations?: Partial<HelmAnnotationNames> | undefined;
  /** Of the controller, its metrics and Events. Default: the kind in lower case, with "-helm". */
  name?: string | undefined;
  /** Default: the manager's. */
  eventRecorder?: EventRecorder | undefined;
  /** Default: the controller's. */
  log?: Logger | undefined;
  /** After a failure it is tried again after `base`, doubling, up to `max`. Default: from a second to five minutes. */
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
  // Each failure may have been a process.
  retryDelays: { base: 1_000, max: 300_000 },
} satisfies Partial<HelmControllerOptions>;

export type HelmSettings = HelmControllerOptions &
  Required<Pick<HelmControllerOptions, keyof typeof withDefaults>>;

/** With their defaults. @throws RangeError or TypeError naming the option that does not fit */
export function helmSettings(options: HelmControllerOptions): HelmSettings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...withDefaults, ...(given as unknown as HelmControllerOptions) };
  const { resource, chart, helm } = settings;
  for (const [name, value] of Object.entries({ resource, chart, helm })) {
    if (!value) throw new TypeError(`a helm controller needs the option ${name}`);
  }
  if (!resource.namespaced) {
    throw new TypeError(
      `${resource.kind} lives in no namespace, and a release has to: make it a namespaced kind (scope: Namespaced)`,
    );
  }
  const { maxReleaseHistory, waitForDeletionTimeout, pendingPatience, reconcilePeriod } = settings;
  const numbers = { maxReleaseHistory, waitForDeletionTimeout, pendingPatience, reconcilePeriod };
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined || value >= 0) continue;
    throw new RangeError(
      `the helm controller of ${resource.kind}: ${name} is ${value}: give a number from 0`,
    );
  }
  // With one revision there would be none to go back to.
  if (!Number.isInteger(maxReleaseHistory) || maxReleaseHistory === 1) {
    throw new RangeError(
      `the helm controller of ${resource.kind}: maxReleaseHistory is ${maxReleaseHistory}: give a whole number from 2, or 0 for all`,
    );
  }
  return settings;
}
