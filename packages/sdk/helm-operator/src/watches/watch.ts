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

/** A mistake in a watches.yaml. */
export interface WatchesProblem {
  /** Counted from 1. */
  readonly line: number;
  /** Indexes of the entries, counted from 0; empty for the file as a whole. */
  readonly entries: readonly number[];
  /** What is wrong, and what to do. */
  readonly message: string;
}

/** An invalid watches.yaml. The message has a line for each mistake. */
export class WatchesError extends Error {
  override readonly name = "WatchesError";
  readonly problems: readonly WatchesProblem[];

  /** @param path of the file, as given */
  constructor(path: string, problems: readonly WatchesProblem[]) {
    const inOrder = problems.toSorted((a, b) => a.line - b.line);
    super(
      inOrder.map(({ line, entries, message }) => `${path}:${line}: ${place(entries)}${message}`).join("\n"),
    );
    this.problems = inOrder;
  }
}

function place(entries: readonly number[]): string {
  if (entries.length === 0) return "";
  const indexes = entries.map((index) => `[${index}]`).join(" and ");
  return `${entries.length === 1 ? "entry" : "entries"} ${indexes}: `;
}
