import type { JsonObject } from "../json.ts";

/** As helm writes them into `info.status`. "unknown" is helm's own word, too. */
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

export type ReleaseStatus = (typeof releaseStatuses)[number];

export function releaseStatusOf(text: string | undefined): ReleaseStatus {
  return releaseStatuses.find((status) => status === text) ?? "unknown";
}

/** A manifest that helm applies at some moment of a release's life, and that is no part of what the release consists of. */
export interface Hook {
  readonly name: string;
  readonly kind: string;
  /** The template that it comes from: "web/templates/tests/test-connection.yaml". */
  readonly path: string;
  readonly manifest: string;
  /** "pre-install", "post-upgrade", "test", … */
  readonly events: readonly string[];
}

/** What is known of a revision that was not read: the metadata of its Secret says so. */
export interface Revision {
  /** 1 for the first. Helm calls it version. */
  readonly revision: number;
  readonly status: ReleaseStatus;
}

/** One revision of a release, as helm keeps it in a Secret. */
export interface Release extends Revision {
  readonly name: string;
  readonly namespace: string;
  /** YAML documents, hooks not among them. */
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  /** That somebody has given it, beside helm's own. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly chart: { readonly name: string; readonly version: string; readonly appVersion?: string };
  /** What the release was given, without the chart's defaults. Helm calls it config. */
  readonly values: JsonObject;
  /** What the chart's NOTES.txt says. */
  readonly notes?: string;
  /** "Install complete", or what somebody said, or why it failed. */
  readonly description?: string;
  /** As Go writes it: "2026-11-22T07:23:19.006724993Z". */
  readonly firstDeployed?: string;
  /** When this revision was begun. */
  readonly lastDeployed?: string;
  /** When it was begun to uninstall it. */
  readonly deleted?: string;
  /** Helm 4: "ssa" for server-side apply, "csa" for client-side; helm 3 says nothing and means "csa". */
  readonly applyMethod?: string;
}
