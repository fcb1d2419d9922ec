import type { Release, Revision } from "./release.ts";

/** The state of a release, from its newest revision and the metadata of the older ones. */
export type ReleaseState =
  /** There is no release to upgrade. `uninstalled`: its history was kept, and an install replaces that. */
  | { readonly kind: "absent"; readonly uninstalled?: Revision }
  | { readonly kind: "deployed"; readonly release: Release }
  /** An operation is running or was interrupted. Go back to `lastDeployed`, or else to `previous`. */
  | {
      readonly kind: "pending";
      readonly operation: "install" | "upgrade" | "rollback";
      readonly release: Release;
      readonly lastDeployed?: Revision;
      readonly previous?: Revision;
    }
  /** An upgrade may go on from here. Go back to `lastDeployed`. */
  | { readonly kind: "failed"; readonly release: Release; readonly lastDeployed?: Revision }
  | { readonly kind: "uninstalling"; readonly release: Release };

/**
 * Returns the state of a release, which is that of its newest revision. At most one revision counts as
 * deployed. If a history has several, which helm does not leave behind, the newest of them counts.
 *
 * @param release the newest revision; undefined without any revision
 * @param before the other revisions, in any order. Default: none
 */
export function releaseState(release: Release | undefined, before: readonly Revision[] = []): ReleaseState {
  if (!release) return { kind: "absent" };
  const older = before.toSorted((one, other) => other.revision - one.revision);
  const toGoBackTo = { ...lastDeployed(older), ...(older[0] && { previous: older[0] }) };
  switch (release.status) {
    case "deployed":
      return { kind: "deployed", release };
    case "uninstalled":
      return { kind: "absent", uninstalled: release };
    case "uninstalling":
      return { kind: "uninstalling", release };
    case "pending-install":
      return { kind: "pending", operation: "install", release, ...toGoBackTo };
    case "pending-upgrade":
      return { kind: "pending", operation: "upgrade", release, ...toGoBackTo };
    case "pending-rollback":
      return { kind: "pending", operation: "rollback", release, ...toGoBackTo };
    case "failed":
    // The Secret of its successor was deleted, or helm did not know the status. helm also upgrades from here.
    case "superseded":
    case "unknown":
      return { kind: "failed", release, ...lastDeployed(older) };
  }
}

/**
 * helm marks the old revision as superseded just before it marks the new one as deployed. If it dies between
 * the two, no revision is deployed, and the newest superseded one was.
 */
function lastDeployed(older: readonly Revision[]): { readonly lastDeployed?: Revision } {
  const found =
    older.find(({ status }) => status === "deployed") ?? older.find(({ status }) => status === "superseded");
  return found ? { lastDeployed: found } : {};
}
