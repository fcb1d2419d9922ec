import type { StatusCause } from "../../apimachinery/errors.ts";
import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import { duplicate, invalid, required, tooMany } from "../../apimachinery/validation/cause.ts";
import type { JsonObject } from "../../lib/json/json.ts";
import { object, objects, text } from "../../lib/json/read.ts";

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = "byte,date,date-time,double,float,int32,int64,password";

/** Validates the printer columns of a version. */
export function validateColumns(version: JsonObject, path: string): StatusCause[] {
  return objects(version.additionalPrinterColumns).flatMap((column, index) => {
    const inner = `${path}[${index}]`;
    const causes: StatusCause[] = [];
    const type = text(column.type);
    const jsonPath = text(column.jsonPath);
    if (text(column.name) === "") causes.push(required(`${inner}.name`));
    if (type === "") causes.push(required(`${inner}.type`, `must be one of ${columnTypes.join(",")}`));
    else if (!columnTypes.includes(type)) {
      causes.push(invalid(`${inner}.type`, type, `must be one of ${columnTypes.join(",")}`));
    }
    const format = text(column.format);
    if (format !== "" && !columnFormats.split(",").includes(format)) {
      causes.push(invalid(`${inner}.format`, format, `must be one of ${columnFormats}`));
    }
    if (jsonPath === "") causes.push(required(`${inner}.JSONPath`));
    else if (!jsonPath.startsWith(".")) {
      causes.push(invalid(`${inner}.JSONPath`, jsonPath, "must be a simple json path starting with ."));
    }
    return causes;
  });
}

/** Validates the scale subresource of a version: the paths of replicas and selector in an object. */
export function validateScale(version: JsonObject, path: string): StatusCause[] {
  const subresources = object(version.subresources);
  if (subresources.scale === undefined) return [];
  const scale = object(subresources.scale);
  return [
    ...validatePath(scale.specReplicasPath, `${path}.specReplicasPath`, [".spec"], true),
    ...validatePath(scale.statusReplicasPath, `${path}.statusReplicasPath`, [".status"], true),
    ...validatePath(scale.labelSelectorPath, `${path}.labelSelectorPath`, [".spec", ".status"], false),
  ];
}

function validatePath(
  value: JsonObject[string],
  field: string,
  roots: string[],
  isRequired: boolean,
): StatusCause[] {
  const path = text(value);
  if (path === "") return isRequired ? [required(field)] : [];
  if (!path.startsWith(".")) return [invalid(field, path, "must be a simple json path starting with .")];
  if (roots.some((root) => path.startsWith(`${root}.`))) return [];
  const detail =
    roots.length === 1
      ? `should be a json path under ${roots[0]}`
      : `should be a json path under either ${roots.join(" or ")}`;
  return [invalid(field, path, detail)];
}

const selectableTypes = ["string", "boolean", "integer"];

/** Validates the selectable fields. They must be scalars in the schema. */
export function validateSelectableFields(version: JsonObject, path: string): StatusCause[] {
  const schema = object(object(version.schema).openAPIV3Schema) as RawSchema;
  const seen = new Set<string>();
  const causes = objects(version.selectableFields).flatMap((selectable, index) => {
    const jsonPath = text(selectable.jsonPath);
    const field = `${path}[${index}].jsonPath`;
    if (jsonPath === "") return [required(field)];
    const found = readSelectable(jsonPath, schema);
    if (typeof found === "string") return [invalid(field, jsonPath, `is an invalid path: ${found}`)];
    const own: StatusCause[] = [];
    if (/^\.metadata\b/.test(jsonPath))
      own.push(invalid(field, jsonPath, "must not point to fields in metadata"));
    if (!selectableTypes.includes(found.type ?? "")) {
      const detail =
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      own.push(invalid(field, jsonPath, detail));
    }
    if (seen.has(jsonPath)) own.push(duplicate(field, jsonPath));
    seen.add(jsonPath);
    return own;
  });
  return seen.size > maximumSelectable ? [...causes, tooMany(path, seen.size, maximumSelectable)] : causes;
}

const maximumSelectable = 8;

/** Returns the schema of a field, or why the path is invalid. */
function readSelectable(jsonPath: string, schema: RawSchema): RawSchema | string {
  let found = schema;
  // Delimiters are separate tokens.
  const tokens = jsonPath.match(/[.[\]]|[^.[\]]+/g) ?? [];
  for (let at = 0; at < tokens.length; at += 2) {
    if (tokens[at] === "[") return "array notation is not allowed";
    if (tokens[at] !== ".") return `expected [ or . but got: ${tokens[at]}`;
    const name = tokens[at + 1];
    if (name === undefined) return "unexpected end of JSON path";
    const { properties, additionalProperties } = found;
    const inner: RawSchema | undefined =
      properties !== undefined
        ? own(properties, name)
        : typeof additionalProperties === "object"
          ? additionalProperties
          : undefined;
    if (inner === undefined) return "does not refer to a valid field";
    found = inner;
  }
  return found;
}

function own(properties: Record<string, RawSchema>, name: string): RawSchema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}
