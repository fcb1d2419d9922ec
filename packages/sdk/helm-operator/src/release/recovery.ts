import type { Release } from "./release.ts";
import type { ReleaseState } from "./release-state.ts";

/** What ends an operation that was begun and not finished. */
export type Recovery =
  | { readonly kind: "none" }
  /** Somebody may still be at it: look again when so many milliseconds have passed, or the release has changed. */
  | { readonly kind: "wait"; readonly milliseconds: number }
  | { readonly kind: "rollback"; readonly revision: number }
  /** Helm finishes one that was begun, too. */
  | { readonly kind: "uninstall" };

export interface RecoveryOptions {
  /** Milliseconds since the epoch, by the clock on the wall. */
  readonly now: number;
  /**
   * Milliseconds that a revision may be pending, from when it was begun: a person's own `helm upgrade` is pending too, while
   * it runs, and two helms at one release harm each other. Default 330,000:
   * helm's own timeout, and half a minute.
   */
  readonly patience?: number | undefined;
}

/**
 * The way back from a pending release, which helm itself refuses to touch ("another operation is in progress"): an install
 * that was not finished is uninstalled; an upgrade or rollback goes back to what was deployed last, or, when nothing was, to
 * the revision before: it may have failed and run all the same. A release that is deployed, failed or absent needs none.
 */
export function recovery(state: ReleaseState, { now, patience = 330_000 }: RecoveryOptions): Recovery {
  if (state.kind !== "pending" && state.kind !== "uninstalling") return { kind: "none" };
  const left = patienceLeft(state.release, now, patience);
  if (left > 0) return { kind: "wait", milliseconds: left };
  if (state.kind === "uninstalling" || state.operation === "install") return { kind: "uninstall" };
  const to = state.lastDeployed ?? state.previous;
  return to ? { kind: "rollback", revision: to.revision } : { kind: "uninstall" };
}

/** A moment that nobody can read, or from a clock that is ahead by more than the patience, is long ago. */
function patienceLeft({ deleted, lastDeployed }: Release, now: number, patience: number): number {
  const begun = Date.parse(deleted ?? lastDeployed ?? "");
  if (Number.isNaN(begun) || begun > now + patience) return 0;
  return Math.max(0, Math.min(patience, begun + patience - now));
}
