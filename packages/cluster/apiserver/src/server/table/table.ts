import type { ApiObject, JsonValue, ObjectMeta } from "../../lib/json/json.ts";
import type { ColumnDefinition } from "../types/resource-type.ts";
import type { Columns, PrintContext, RowCondition } from "./printer.ts";

/** meta/v1 Table: what `kubectl get` prints. */
export interface Table {
  kind: "Table";
  apiVersion: "meta.k8s.io/v1";
  metadata: TableMetadata;
  /** null in all Tables of a watch except the first one. */
  columnDefinitions: readonly ColumnDefinition[] | null;
  rows: TableRow[];
}

export interface TableMetadata {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}

export interface TableRow {
  cells: JsonValue[];
  conditions?: RowCondition[];
  /** By `includeObject`: null, a PartialObjectMetadata, or the object itself. */
  object: ApiObject | PartialObjectMetadata | null;
}

/** meta/v1 PartialObjectMetadata. */
export interface PartialObjectMetadata {
  kind: "PartialObjectMetadata";
  apiVersion: "meta.k8s.io/v1";
  metadata: ObjectMeta;
}

export type IncludeObject = "None" | "Metadata" | "Object";

export interface TableOptions extends PrintContext {
  /** Metadata of the list. Default: the resourceVersion of the object, if there is exactly one. */
  metadata?: TableMetadata;
  /** Default: Metadata. */
  includeObject?: IncludeObject;
  /** Whether columnDefinitions are included. Default: true. Only the first event of a watch includes them. */
  headers?: boolean;
}

/**
 * Returns objects of one type as a Table (registry/rest TableConvertor of k8s.io/apiserver). It contains
 * every column, including wide ones; clients omit what they do not show.
 */
export function toTable(
  objects: readonly ApiObject[],
  { definitions, printer }: Columns,
  options: TableOptions,
): Table {
  const { includeObject = "Metadata", headers = true } = options;
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: options.metadata ?? metadataOf(objects),
    columnDefinitions: headers ? definitions : null,
    rows: objects.map((object) => {
      const conditions = printer.conditions?.(object) ?? [];
      return {
        cells: printer.cells(object, options),
        ...(conditions.length === 0 ? {} : { conditions }),
        object: embed(object, includeObject),
      };
    }),
  };
}

function metadataOf(objects: readonly ApiObject[]): TableMetadata {
  const [first, ...others] = objects;
  const resourceVersion = others.length === 0 ? first?.metadata.resourceVersion : undefined;
  return resourceVersion === undefined ? {} : { resourceVersion };
}

function embed(object: ApiObject, includeObject: IncludeObject): TableRow["object"] {
  switch (includeObject) {
    case "None":
      return null;
    case "Object":
      return object;
    case "Metadata":
      return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
  }
}
