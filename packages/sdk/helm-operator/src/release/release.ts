import type { JsonObject } from "../json.ts";

/** The statuses that helm writes into `info.status`. "unknown" is helm's own word, too. */
export const releaseStatuses = [
  "unknown",
  "deployed",
  "uninstalled",
  "superseded",
  "failed",
  "uninstalling",
  "pending-install",
  "pending-upgrade",
  "pending-rollback",
] as const;

/** The status of a revision, in helm's words. */
export type ReleaseStatus = (typeof releaseStatuses)[number];

export function releaseStatusOf(text: string | undefined): ReleaseStatus {
  return releaseStatuses.find((status) => status === text) ?? "unknown";
}

/**
 * A manifest that helm applies at some point of a release's life. It is not part of the release's objects.
 */
export interface Hook {
  readonly name: string;
  readonly kind: string;
  /** The template that rendered it: "web/templates/tests/test-connection.yaml". */
  readonly path: string;
  readonly manifest: string;
  /** "pre-install", "post-upgrade", "test", … */
  readonly events: readonly string[];
}

/** What a Secret's metadata says about a revision, without reading the revision. */
export interface Revision {
  /** 1 for the first. Helm calls it version. */
  readonly revision: number;
  readonly status: ReleaseStatus;
}

/** One revision of a release, as helm stores it in a Secret. */
export interface Release extends Revision {
  readonly name: string;
  readonly namespace: string;
  /** YAML documents, without hooks. */
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  /** Labels that were given to the release, besides helm's own. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly chart: { readonly name: string; readonly version: string; readonly appVersion?: string };
  /** The values that the release was given, without the chart's defaults. Helm calls them config. */
  readonly values: JsonObject;
  /** The rendered NOTES.txt of the chart. */
  readonly notes?: string;
  /** "Install complete", a description that was given, or the reason of a failure. */
  readonly description?: string;
  /** As Go writes it: "2026-11-22T07:23:19.006724993Z". */
  readonly firstDeployed?: string;
  /** When this revision was begun. */
  readonly lastDeployed?: string;
  /** When its uninstall was begun. */
  readonly deleted?: string;
  /**
   * Helm 4: "ssa" for server-side apply, "csa" for client-side apply. Helm 3 writes nothing and means "csa".
   */
  readonly applyMethod?: string;
}
