import { ApiStatusError } from "../errors.ts";
import { type FieldSet, forEachPath } from "./field-set.ts";
import { compareText, type ManagerInfo } from "./managers.ts";
import { type PathElement, printPath } from "./path-element.ts";

/** A field that is applied with another value than its manager gave it. */
export interface Conflict {
  /** Identifier of the entry. */
  identifier: string;
  manager: ManagerInfo;
  path: readonly PathElement[];
}

/** What is applied differs from what others own, and is not forced (merge.Conflicts of structured-merge-diff). */
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

/** 409 with a cause for each field (NewApplyConflict). */
export function conflictStatus(conflicts: readonly Conflict[]): ApiStatusError {
  return new ApiStatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: conflictMessage(conflicts),
    reason: "Conflict",
    details: {
      causes: conflicts.map(({ manager, path }) => ({
        reason: "FieldManagerConflict",
        message: `conflict with ${printManager(manager)}`,
        field: printPath(path),
      })),
    },
    code: 409,
  });
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${printManager(first.manager)}: ${printPath(first.path)}`;
  }
  const lines: string[] = [];
  let last: string | undefined;
  for (const { identifier, manager, path } of conflicts) {
    if (identifier !== last) lines.push(`conflicts with ${printManager(manager)}:`);
    last = identifier;
    lines.push(`- ${printPath(path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

/** `"kubectl-client-side-apply" using apps/v1`, or the name alone for who applied too. */
function printManager({ manager, operation, apiVersion, subresource }: ManagerInfo): string {
  const name = JSON.stringify(manager);
  const where = subresource === "" ? name : `${name} with subresource ${JSON.stringify(subresource)}`;
  return operation === "Update" ? `${where} using ${apiVersion}` : where;
}
