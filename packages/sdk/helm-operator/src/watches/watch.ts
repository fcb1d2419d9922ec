import type { LabelSelector } from "@operator-path/client";

/** An entry of a watches.yaml: which kind's objects become releases of which chart. */
export interface Watch {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Absolute: a folder or a .tgz file. */
  readonly chart: string;
  /** Whether what the releases consist of is watched, too. Default true. */
  readonly watchDependentResources: boolean;
  /** Paths and values as for `helm --set`; the environment is expanded in the values. Default: none. */
  readonly overrideValues: Readonly<Record<string, string>>;
  /** Milliseconds. Default: a release is looked at only when something has changed. */
  readonly reconcilePeriod?: number;
  /** Default: that of the controller, 1. */
  readonly maxConcurrentReconciles?: number;
  /** Only objects with these labels. Default: all. */
  readonly selector?: LabelSelector;
}

/** Every field that an entry may have. */
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
