import type { Release, Revision } from "./release.ts";

/** What a release is, by its newest revision, and by what is known of those before: they need not be read. */
export type ReleaseState =
  /** To be installed. `uninstalled`: its history was kept, and installing it replaces that. */
  | { readonly kind: "absent"; readonly uninstalled?: Revision }
  | { readonly kind: "deployed"; readonly release: Release }
  /** Somebody is at it, or has died over it. `lastDeployed`: what to go back to; else `previous`, the revision before. */
  | {
      readonly kind: "pending";
      readonly operation: "install" | "upgrade" | "rollback";
      readonly release: Release;
      readonly lastDeployed?: Revision;
      readonly previous?: Revision;
    }
  /** An upgrade goes on from here. `lastDeployed`: what to go back to. */
  | { readonly kind: "failed"; readonly release: Release; readonly lastDeployed?: Revision }
  | { readonly kind: "uninstalling"; readonly release: Release };

/**
 * The state of a release: that of its newest revision. At most one revision counts as deployed; should a history have
 * several, which helm does not leave behind, it is the newest one.
 *
 * @param release the newest revision; undefined when there is none
 * @param before the others, in any order
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
    // Its successor's Secret is gone, or helm did not know: to helm, too, an upgrade may go on from here.
    case "superseded":
    case "unknown":
      return { kind: "failed", release, ...lastDeployed(older) };
  }
}

/**
 * Helm marks what was deployed as superseded just before it marks the new revision as deployed. When it dies between the
 * two, nothing is deployed, and what was is the newest superseded one.
 */
function lastDeployed(older: readonly Revision[]): { readonly lastDeployed?: Revision } {
  const found =
    older.find(({ status }) => status === "deployed") ?? older.find(({ status }) => status === "superseded");
  return found ? { lastDeployed: found } : {};
}
