import type { Release } from "./release.ts";
import type { ReleaseState } from "./release-state.ts";

/** How to end an operation that was begun and not finished. */
export type Recovery =
  | { readonly kind: "none" }
  /**
   * Another helm may still be working: look again after this many milliseconds, or when the release changes.
   */
  | { readonly kind: "wait"; readonly milliseconds: number }
  | { readonly kind: "rollback"; readonly revision: number }
  /** Also finishes an uninstall that was begun. */
  | { readonly kind: "uninstall" };

/** Options of {@link recovery}. */
export interface RecoveryOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /**
   * Milliseconds that a revision may be pending since it was begun. A manual `helm upgrade` is pending while
   * it runs, and two helms that work on one release harm each other. Default 330,000: half a minute more than
   * helm's own timeout.
   */
  readonly patience?: number | undefined;
}

/**
 * Returns how to recover a pending release. helm itself refuses to change one ("another operation is in
 * progress"). An unfinished install is uninstalled. An upgrade or rollback goes back to the last deployed
 * revision. If none was deployed, it goes back to the revision before, which may work although it failed.
 * Releases that are deployed, failed or absent need no recovery.
 */
export function recovery(state: ReleaseState, { now, patience = 330_000 }: RecoveryOptions): Recovery {
  if (state.kind !== "pending" && state.kind !== "uninstalling") return { kind: "none" };
  const left = patienceLeft(state.release, now, patience);
  if (left > 0) return { kind: "wait", milliseconds: left };
  if (state.kind === "uninstalling" || state.operation === "install") return { kind: "uninstall" };
  const to = state.lastDeployed ?? state.previous;
  return to ? { kind: "rollback", revision: to.revision } : { kind: "uninstall" };
}

/** A time that is unreadable, or ahead by more than the patience, counts as long ago. */
function patienceLeft({ deleted, lastDeployed }: Release, now: number, patience: number): number {
  const begun = Date.parse(deleted ?? lastDeployed ?? "");
  if (Number.isNaN(begun) || begun > now + patience) return 0;
  return Math.max(0, Math.min(patience, begun + patience - now));
}
