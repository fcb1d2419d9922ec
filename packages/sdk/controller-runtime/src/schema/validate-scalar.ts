import { isDeepStrictEqual } from "node:util";
import { type FieldError, field } from "../webhook/admission/field-error.ts";
import type { ResourceSchema } from "./schema.ts";

/** Validates a single value: enum, bounds, length, pattern, format. */
export function validateScalar(value: unknown, schema: ResourceSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (typeof value === "string") errors.push(...validateText(value, schema, path));
  if (typeof value === "number") errors.push(...validateNumber(value, schema, path));
  const { enum: allowed } = schema;
  // A server never finds null in an enum, even in one that lists it (kube-openapi, basicCommonValidator).
  if (allowed !== undefined && (value === null || !allowed.some((each) => isDeepStrictEqual(each, value)))) {
    const names = allowed.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
    errors.push(field.notSupported(path, value, names));
  }
  return errors;
}

function validateNumber(value: number, schema: ResourceSchema, path: string): FieldError[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  const errors: FieldError[] = [];
  const must = (holds: boolean, what: string): void => {
    if (!holds) errors.push(field.invalid(path, value, `${path} in body ${what}`));
  };
  if (format === "int32")
    must(value >= -(2 ** 31) && value < 2 ** 31, "must be of type integer with format int32");
  if (format === "int64") must(Math.abs(value) <= 2 ** 63, "must be of type integer with format int64");
  if (multipleOf !== undefined) {
    const ratio = value / multipleOf;
    must(Math.abs(ratio - Math.round(ratio)) < 1e-9, `should be a multiple of ${multipleOf}`);
  }
  if (maximum !== undefined) {
    if (exclusiveMaximum === true) must(value < maximum, `should be less than ${maximum}`);
    else must(value <= maximum, `should be less than or equal to ${maximum}`);
  }
  if (minimum !== undefined) {
    if (exclusiveMinimum === true) must(value > minimum, `should be greater than ${minimum}`);
    else must(value >= minimum, `should be greater than or equal to ${minimum}`);
  }
  return errors;
}

function validateText(value: string, schema: ResourceSchema, path: string): FieldError[] {
  const { minLength, maxLength, pattern, format } = schema;
  const length = [...value].length;
  const errors: FieldError[] = [];
  const expression = pattern === undefined ? undefined : expressionOf(pattern);
  // Only the first of these is reported, as by a server.
  if (maxLength !== undefined && length > maxLength) errors.push(field.tooLong(path, maxLength));
  else if (minLength !== undefined && length < minLength) {
    errors.push(field.invalid(path, value, `${path} in body should be at least ${minLength} chars long`));
  } else if (expression !== undefined && !expression.test(value)) {
    errors.push(field.invalid(path, value, `${path} in body should match '${pattern}'`));
  }
  const hasFormat =
    (format !== "date-time" || isDateTime(value)) &&
    (format !== "byte" || /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value));
  if (!hasFormat) {
    errors.push(
      field.typeInvalid(path, value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`),
    );
  }
  return errors;
}

const expressions = new Map<string, RegExp | undefined>();

/** Leaves an RE2 pattern that JavaScript cannot parse to the server. */
function expressionOf(pattern: string): RegExp | undefined {
  if (!expressions.has(pattern)) expressions.set(pattern, compile(pattern));
  return expressions.get(pattern);
}

function compile(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Try the next flags, which are more lenient.
    }
  }
  return undefined;
}

function isDateTime(value: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[-+]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}
