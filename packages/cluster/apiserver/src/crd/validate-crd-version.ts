import type { StatusCause } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { RawSchema } from "../types/schema.ts";
import { invalid, required } from "../validation/cause.ts";
import { object, objects, text } from "../validation/read.ts";

const columnTypes = ["boolean", "date", "integer", "number", "string"];
/** `.spec.replicas`: names only, no brackets. */
const simplePath = /^(\.[a-zA-Z0-9_$-]+)+$/;

/** Print columns of a version. */
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
    if (jsonPath === "") causes.push(required(`${inner}.JSONPath`));
    else if (!jsonPath.startsWith(".")) {
      causes.push(invalid(`${inner}.JSONPath`, jsonPath, "must be a simple json path starting with ."));
    }
    return causes;
  });
}

/** The scale subresource of a version: where replicas and selector stand in an object. */
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
  if (!simplePath.test(path)) return [invalid(field, path, "must be a simple json path starting with .")];
  if (roots.some((root) => path.startsWith(`${root}.`))) return [];
  const detail =
    roots.length === 1
      ? `should be a json path under ${roots[0]}`
      : `should be a json path under either ${roots.join(" or ")}`;
  return [invalid(field, path, detail)];
}

const selectableTypes = ["string", "boolean", "integer"];

/** Fields that lists may be selected by: they must be in the schema, and be scalars. */
export function validateSelectableFields(version: JsonObject, path: string): StatusCause[] {
  const schema = object(object(version.schema).openAPIV3Schema) as RawSchema;
  return objects(version.selectableFields).flatMap((selectable, index) => {
    const jsonPath = text(selectable.jsonPath);
    const field = `${path}[${index}].jsonPath`;
    if (jsonPath === "") return [required(field)];
    if (!simplePath.test(jsonPath)) {
      return [invalid(field, jsonPath, "is an invalid path: must be a simple json path starting with .")];
    }
    let found: RawSchema | undefined = schema;
    for (const step of jsonPath.slice(1).split(".")) {
      const properties: Record<string, RawSchema> = found?.properties ?? {};
      found = Object.hasOwn(properties, step) ? properties[step] : undefined;
    }
    if (found === undefined) {
      return [invalid(field, jsonPath, "is an invalid path: does not refer to a valid field")];
    }
    if (selectableTypes.includes(found.type ?? "")) return [];
    return [invalid(field, jsonPath, `must point to a field of type ${selectableTypes.join(", ")}`)];
  });
}
