import type { LabelSelector } from "@operator-path/client";

/** An entry of a watches.yaml: objects of a kind become releases of a chart. */
export interface Watch {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Absolute path of a folder or a .tgz file. */
  readonly chart: string;
  /** Whether the objects of the releases are watched, too. Default true. */
  readonly watchDependentResources: boolean;
  /** Values by path, as for `helm --set`, with environment variables expanded. Default: none. */
  readonly overrideValues: Readonly<Record<string, string>>;
  /** Milliseconds after which to reconcile again. Default: only after changes. */
  readonly reconcilePeriod?: number;
  /** Default: the controller's, 1. */
  readonly maxConcurrentReconciles?: number;
  /** Only objects with these labels. Default: all. */
  readonly selector?: LabelSelector;
}

/** All fields that an entry may have. */
export const watchFields: readonly string[] = [
  "group",
  "version",
  "kind",
  "chart",
  "watchDependentResources",
  "overrideValues",
  "reconcilePeriod",
  "maxConcurrentReconciles",
  "selector",
] satisfies (keyof Watch)[];
