import { emptySet, type FieldSet, fieldSetOf } from "../../lib/structured-merge-diff/field-set.ts";
import { fieldElement } from "../../lib/structured-merge-diff/path-element.ts";
import type { ResourceType } from "../types/resource-type.ts";

/** Returns the set of the fields at dotted paths. */
export function fields(...paths: string[]): FieldSet {
  return fieldSetOf(...paths.map((path) => path.split(".").map(fieldElement)));
}

const status = fields("status");

/**
 * Returns the fields that a write to a (sub)resource never changes, so that its manager does not own them
 * (GetResetFields of the strategies of Kubernetes). @param statusResets the fields for a write to the status
 */
export function resetFieldsOf(type: ResourceType, subresource: string, statusResets: FieldSet): FieldSet {
  if (!type.subresources.includes("status")) return emptySet;
  switch (subresource) {
    case "":
    case "finalize":
      return status;
    case "status":
      return statusResets;
    default:
      return emptySet;
  }
}
