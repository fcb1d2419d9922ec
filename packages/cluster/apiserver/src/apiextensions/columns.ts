import { age } from "../apimachinery/duration.ts";
import type { JsonValue } from "../lib/json/json.ts";
import { formatText } from "../lib/jsonpath/go-text.ts";
import type { JsonPath } from "../lib/jsonpath/jsonpath.ts";
import { compileJsonPath } from "../lib/jsonpath/jsonpath.ts";
import type { Columns } from "../server/table/printer.ts";
import { nameOf } from "../server/table/printer.ts";
import type { TypeRegistry } from "../server/types/registry.ts";
import type { ColumnDefinition } from "../server/types/resource-type.ts";
import type { CustomResourceType, PrinterColumn } from "./custom-resource-definition.ts";

const OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/**
 * Returns the columns of a custom resource: Name, and additionalPrinterColumns of its definition. Without
 * these, Age.
 */
export function customColumns(type: CustomResourceType, registry: Pick<TypeRegistry, "definition">): Columns {
  const described = registry.definition(OBJECT_META)?.properties;
  const own = type.custom.spec.additionalPrinterColumns ?? [];
  const fallback: PrinterColumn = {
    name: "Age",
    type: "date",
    jsonPath: ".metadata.creationTimestamp",
    description: described?.creationTimestamp?.description ?? "",
  };
  const columns = (own.length === 0 ? [fallback] : own).map((column) => ({
    ...column,
    find: compile(column.jsonPath),
  }));
  const name: ColumnDefinition = {
    name: "Name",
    type: "string",
    format: "name",
    description: described?.name?.description ?? "",
    priority: 0,
  };
  return {
    definitions: [name, ...columns.map(describe)],
    printer: {
      cells: (object, { now }) => [
        nameOf(object as Parameters<typeof nameOf>[0]),
        ...columns.map(({ find, type: columnType }) => cell(columnType, find(object)[0], now)),
      ],
    },
  };
}

/**
 * Compiles a path. Definitions are validated before they are served, so this fails only where validation
 * accepts a path that the compiler rejects.
 */
function compile(path: string): JsonPath {
  try {
    return compileJsonPath(path);
  } catch {
    return () => [];
  }
}

function describe(column: PrinterColumn): ColumnDefinition {
  return {
    name: column.name,
    type: column.type,
    format: column.format ?? "",
    description:
      column.description || `Custom resource definition column (in JSONPath format): ${column.jsonPath}`,
    priority: column.priority ?? 0,
  };
}

/**
 * Returns the value of a cell. Like a real server, leaves out a value that does not have the column's type.
 */
function cell(type: string, value: JsonValue | undefined, now: number): JsonValue {
  if (value === undefined) return null;
  switch (type) {
    case "string":
      return formatText(value);
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? formatDate(value, now) : null;
    default:
      return null;
  }
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

function formatDate(text: string, now: number): string {
  if (text === "") return "<unknown>";
  return RFC3339.test(text) && !Number.isNaN(Date.parse(text)) ? age(text, now) : "<invalid>";
}
