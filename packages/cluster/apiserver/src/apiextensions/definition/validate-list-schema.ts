import type { StatusCause } from "../../apimachinery/errors.ts";
import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import { invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";

/** Validates x-kubernetes-list-type, -list-map-keys and -map-type of one schema. */
export function validateListSchema(schema: RawSchema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const listType: string | undefined = schema["x-kubernetes-list-type"];
  const mapType: string | undefined = schema["x-kubernetes-map-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (listType !== undefined) {
    if (schema.type !== "array") {
      const detail = "must be array if x-kubernetes-list-type is specified";
      causes.push(
        schema.type ? invalid(`${path}.type`, schema.type, detail) : required(`${path}.type`, detail),
      );
    } else if (!["atomic", "set", "map"].includes(listType)) {
      causes.push(notSupported(`${path}.x-kubernetes-list-type`, listType, ["atomic", "set", "map"]));
    }
    if (listType === "set" && schema.items !== undefined)
      causes.push(...validateSetItems(schema.items, path));
  }
  if (keys.length > 0 && listType === undefined) {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    causes.push(required(`${path}.x-kubernetes-list-type`, detail));
  } else if (keys.length > 0 && listType !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    causes.push(invalid(`${path}.x-kubernetes-list-type`, listType, detail));
  }
  if (listType === "map" && schema.type === "array") causes.push(...validateMapItems(schema, keys, path));
  if (mapType !== undefined) causes.push(...validateMapType(schema, mapType, path));
  return causes;
}

function validateMapType(schema: RawSchema, mapType: string, path: string): StatusCause[] {
  if (schema.type !== "object") {
    const detail = "must be object if x-kubernetes-map-type is specified";
    return [schema.type ? invalid(`${path}.type`, schema.type, detail) : required(`${path}.type`, detail)];
  }
  if (["atomic", "granular"].includes(mapType)) return [];
  return [notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"])];
}

/** Validates the items of a set. Elements of a set are compared as a whole. */
function validateSetItems(items: RawSchema, path: string): StatusCause[] {
  const detail = "as item of a list with x-kubernetes-list-type=set";
  if (items.nullable === true) return [invalid(`${path}.items.nullable`, true, `cannot be true ${detail}`)];
  if (items.type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    const given = items["x-kubernetes-map-type"] ?? null;
    return [invalid(`${path}.items.x-kubernetes-map-type`, given, `must be atomic ${detail}`)];
  }
  if (items.type === "array" && items["x-kubernetes-list-type"] !== "atomic") {
    const given = items["x-kubernetes-list-type"] ?? null;
    return [invalid(`${path}.items.x-kubernetes-list-type`, given, `must be atomic ${detail}`)];
  }
  return [];
}

/** Validates the items of a list of type map. Every element must always have the keys. */
function validateMapItems(schema: RawSchema, keys: string[], path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const { items } = schema;
  if (keys.length === 0) {
    const detail = "must not be empty if x-kubernetes-list-type is map";
    return [required(`${path}.x-kubernetes-list-map-keys`, detail)];
  }
  if (items === undefined) return causes;
  if (items.type !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [invalid(`${path}.items.type`, items.type ?? "", detail)];
  }
  const properties = items.properties ?? {};
  for (const key of keys) {
    if (!Object.hasOwn(properties, key)) {
      const detail = "entries must all be names of item properties";
      causes.push(invalid(`${path}.x-kubernetes-list-map-keys`, keys, detail));
      continue;
    }
    const property = properties[key];
    if (property?.default === undefined && !items.required?.includes(key)) {
      const detail =
        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
      causes.push(required(`${path}.items.properties[${key}].default`, detail));
    }
  }
  return causes;
}
