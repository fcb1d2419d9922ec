import type { Conflict } from "../../lib/structured-merge-diff/conflicts.ts";
import type { ManagerInfo } from "../../lib/structured-merge-diff/managers.ts";
import { printPath } from "../../lib/structured-merge-diff/path-element.ts";
import { ApiStatusError } from "../errors.ts";

/** Returns a 409 with one cause per field (NewApplyConflict). */
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

/** Formats a manager: `"kubectl-client-side-apply" using apps/v1`, or only the name of an applier. */
function printManager({ manager, operation, apiVersion, subresource }: ManagerInfo): string {
  const name = JSON.stringify(manager);
  const where = subresource === "" ? name : `${name} with subresource ${JSON.stringify(subresource)}`;
  return operation === "Update" ? `${where} using ${apiVersion}` : where;
}
