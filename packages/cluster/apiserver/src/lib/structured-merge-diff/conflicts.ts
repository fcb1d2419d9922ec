import { type FieldSet, forEachPath } from "./field-set.ts";
import { compareText, type ManagerInfo } from "./managers.ts";
import type { PathElement } from "./path-element.ts";

/** A field that is applied with a value different from its manager's. */
export interface Conflict {
  /** Identifier of the manager's entry. */
  identifier: string;
  manager: ManagerInfo;
  path: readonly PathElement[];
}

/** An apply without force changes fields of other managers (merge.Conflicts of structured-merge-diff). */
export class ApplyConflictError extends Error {
  override readonly name = "ApplyConflictError";
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(`${conflicts.length} conflicts`);
    this.conflicts = conflicts;
  }
}

export function conflictsOf(sets: Map<string, { manager: ManagerInfo; set: FieldSet }>): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [identifier, { manager, set }] of [...sets].sort(([a], [b]) => compareText(a, b))) {
    forEachPath(set, (path) => conflicts.push({ identifier, manager, path }));
  }
  return conflicts;
}
