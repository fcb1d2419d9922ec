import { type FieldError, field } from "../webhook/admission/field-error.ts";
import type { ResourceSchema } from "./schema.ts";
import { validateList } from "./validate-list.ts";
import { validateScalar } from "./validate-scalar.ts";

/** Configures a validator. */
export interface ValidateOptions {
  /** Whether a field that the schema does not name is an error, as with kubectl. Default "refuse". */
  readonly unknownFields?: "refuse" | "ignore";
}

/**
 * Returns everything that a server would reject in an object, in the server's words, or [] when the object is
 * valid. It does not evaluate CEL rules. In a validating webhook: `throwIfInvalid(memcacheds, object,
 * validateMemcached(object))`.
 */
export type Validator = (object: unknown, options?: ValidateOptions) => FieldError[];

/** Returns a function that validates objects against a schema. */
export function createValidator(schema: ResourceSchema): Validator {
  return (object, { unknownFields = "refuse" } = {}) =>
    validate(object, schema, "", unknownFields === "refuse");
}

/** An API server's name for the object itself. */
const root = "<nil>";

function validate(value: unknown, schema: ResourceSchema, path: string, strict: boolean): FieldError[] {
  if (value === null && schema.nullable === true) return validateScalar(value, schema, path || root);
  const type = typeOf(value);
  const types = typesOf(schema);
  const fits = types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));
  if (!fits) return [wrongType(value, type, types, schema, path)];
  const errors = validateScalar(value, schema, path || root);
  for (const part of schema.allOf ?? []) errors.push(...validate(value, part, path, false));
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) {
      for (const [index, item] of value.entries())
        errors.push(...validate(item, items, `${path}[${index}]`, strict));
    }
    errors.push(...validateList(value, schema, path || root));
  } else if (typeof value === "object" && value !== null) {
    errors.push(...validateObject(value as Readonly<Record<string, unknown>>, schema, path, strict));
  }
  return errors;
}

/** A server names the format instead of the type, if there is one. */
function wrongType(
  value: unknown,
  type: string,
  types: readonly string[],
  { format = "" }: ResourceSchema,
  path: string,
): FieldError {
  const isFormatted = /^(?:int32|int64|date-time|byte)$/.test(format);
  const given = isFormatted ? (formattedType(value) ?? type) : type;
  const wanted = given === type ? types.join(",") : format;
  return field.typeInvalid(path || root, given, `${path} in body must be of type ${wanted}: "${given}"`);
}

function formattedType(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return typeof value === "boolean" || (typeof value === "object" && value !== null && !Array.isArray(value))
    ? ""
    : undefined;
}

function validateObject(
  object: Readonly<Record<string, unknown>>,
  schema: ResourceSchema,
  path: string,
  strict: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const { properties = {}, additionalProperties, minProperties, maxProperties } = schema;
  // A server treats null as missing where the field is not nullable.
  const isMissing = (name: string): boolean =>
    !Object.hasOwn(object, name) ||
    object[name] === undefined ||
    (object[name] === null && Object.hasOwn(properties, name) && properties[name]?.nullable !== true);
  const names = Object.keys(object).filter((name) => !isMissing(name));
  if (minProperties !== undefined && names.length < minProperties) {
    const detail = `${path} in body should have at least ${minProperties} properties`;
    errors.push(field.invalid(path || root, names.length, detail));
  }
  if (maxProperties !== undefined && names.length > maxProperties) {
    errors.push(field.tooMany(path || root, names.length, maxProperties));
  }
  const keepsUnknown =
    schema["x-kubernetes-preserve-unknown-fields"] === true ||
    additionalProperties === true ||
    path === "metadata";
  for (const name of names) {
    const at = path === "" ? name : `${path}.${name}`;
    // The server has its own schema for metadata.
    if (at === "metadata") continue;
    const child = Object.hasOwn(properties, name)
      ? properties[name]
      : typeof additionalProperties === "object"
        ? additionalProperties
        : undefined;
    const isOfAnyResource =
      schema["x-kubernetes-embedded-resource"] === true && /^(?:apiVersion|kind|metadata)$/.test(name);
    if (child !== undefined) errors.push(...validate(object[name], child, at, strict));
    else if (strict && !keepsUnknown && !isOfAnyResource) errors.push(field.forbidden(at, "unknown field"));
  }
  for (const name of schema.required ?? []) {
    if (isMissing(name)) errors.push(field.required(path === "" ? name : `${path}.${name}`));
  }
  return errors;
}

function typesOf(schema: ResourceSchema): string[] {
  if (schema["x-kubernetes-int-or-string"] === true) return ["integer", "string"];
  return schema.type === undefined ? [] : [schema.type];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}
