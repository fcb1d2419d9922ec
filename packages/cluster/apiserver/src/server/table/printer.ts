import { age } from "../../apimachinery/duration.ts";
import type { ApiObject, JsonValue } from "../../lib/json/json.ts";
import type { ColumnDefinition } from "../types/resource-type.ts";

/** The values outside of the object that a printer may read. */
export interface PrintContext {
  /** Milliseconds since the epoch. */
  now: number;
}

/** meta/v1 TableRowCondition: marks rows that clients may omit, such as those of finished Pods. */
export interface RowCondition {
  type: "Completed";
  status: "True";
  reason: string;
  message: string;
}

/**
 * Prints the row of a kind. The cells have the order of the columns that `src/generated` recorded, wide ones
 * included.
 */
export interface Printer {
  cells(object: ApiObject, context: PrintContext): JsonValue[];
  conditions?(object: ApiObject): RowCondition[];
}

/** The columns of a kind, and the printer that fills them. */
export interface Columns {
  definitions: readonly ColumnDefinition[];
  printer: Printer;
}

/** The metadata that cells show. */
export interface Named {
  metadata: {
    name?: string;
    namespace?: string;
    creationTimestamp?: string | null;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: { apiVersion: string; kind: string; name: string; controller?: boolean }[];
  };
}

/**
 * Returns a printer that reads an object as T, a partial type of the kind. All fields of T are optional: a
 * stored object lacks the fields that its client omitted and those that no controller has set yet.
 */
export function definePrinter<T extends Named>(
  cells: (object: T, context: PrintContext) => JsonValue[],
  conditions?: (object: T) => RowCondition[],
): Printer {
  return {
    cells: (object, context) => cells(object as unknown as T, context),
    ...(conditions === undefined
      ? {}
      : { conditions: (object: ApiObject) => conditions(object as unknown as T) }),
  };
}

export function nameOf(object: Named): string {
  return object.metadata.name ?? "";
}

export function ageOf(object: Named, { now }: PrintContext): string {
  return age(object.metadata.creationTimestamp, now);
}
