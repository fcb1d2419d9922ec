import { age } from "../../apimachinery/duration.ts";
import type { ApiObject, JsonValue } from "../../lib/json/json.ts";
import type { ColumnDefinition } from "../types/resource-type.ts";

/** What a printer may read of the world beside the object. */
export interface PrintContext {
  /** Milliseconds since the epoch. */
  now: number;
}

/** meta/v1 TableRowCondition: marks rows that clients may leave out, as those of Pods that have ended. */
export interface RowCondition {
  type: "Completed";
  status: "True";
  reason: string;
  message: string;
}

/** Makes the row of one kind. Cells are in the order of the kind's columns in the type data, wide ones included. */
export interface Printer {
  cells(object: ApiObject, context: PrintContext): JsonValue[];
  conditions?(object: ApiObject): RowCondition[];
}

/** The columns of a kind, and who fills them. */
export interface Columns {
  definitions: readonly ColumnDefinition[];
  printer: Printer;
}

/** metadata, as far as cells show it. */
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
 * A printer that reads an object as T, a sketch of the kind: all of its fields are optional, because what a client may leave
 * out, and what no controller has written yet, is missing in the store too.
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
