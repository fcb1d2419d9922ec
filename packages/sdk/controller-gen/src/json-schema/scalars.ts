import { RE2JS } from "re2js";
import type { Schema } from "../schema/schema.ts";
import { isJsonSchema, type JsonSchema, type Place, type ReportField } from "./json-schema.ts";

/**
 * Formats that an API server checks (kube-openapi/pkg/validation/strfmt). A duration has Go's syntax: 1h30m.
 */
const servedFormats = new Set(
  "byte cidr date date-time duration email hostname ipv4 ipv6 mac password uri uuid uuid3 uuid4 uuid5".split(
    " ",
  ),
);

/**
 * Returns the bounds of a number in the form of OpenAPI 3.0, where an exclusive bound is a number and a flag.
 * Gives integers a format, which tells clients in other languages their width.
 */
export function numberOf(schema: JsonSchema, type: "integer" | "number"): Schema {
  const { multipleOf, format } = schema;
  const lower = boundOf(schema.minimum, schema.exclusiveMinimum, (a, b) => a >= b);
  const upper = boundOf(schema.maximum, schema.exclusiveMaximum, (a, b) => a <= b);
  const result: Schema = {};
  if (lower !== undefined) result.minimum = lower.bound;
  if (lower?.exclusive) result.exclusiveMinimum = true;
  if (upper !== undefined) result.maximum = upper.bound;
  if (upper?.exclusive) result.exclusiveMaximum = true;
  if (typeof multipleOf === "number") result.multipleOf = multipleOf;
  if (type === "integer") {
    const isShort =
      lower !== undefined && upper !== undefined && lower.bound >= -(2 ** 31) && upper.bound < 2 ** 31;
    result.format = format === "int32" || format === "int64" ? format : isShort ? "int32" : "int64";
  } else if (format === "float" || format === "double") result.format = format;
  return result;
}

/** @param isTighter whether an exclusive bound excludes more than an inclusive one */
function boundOf(
  inclusive: unknown,
  exclusive: unknown,
  isTighter: (exclusive: number, inclusive: number) => boolean,
): { bound: number; exclusive: boolean } | undefined {
  if (typeof exclusive === "number") {
    if (typeof inclusive !== "number" || isTighter(exclusive, inclusive))
      return { bound: exclusive, exclusive: true };
  }
  // Drafts up to 4, and OpenAPI 3.0, have a flag here.
  return typeof inclusive === "number" ? { bound: inclusive, exclusive: exclusive === true } : undefined;
}

/**
 * Returns the length, pattern and format of a string. Reports a pattern that Go cannot read, and a format
 * that a server does not check.
 */
export function stringOf(schema: JsonSchema, { path }: Place, report: ReportField): Schema {
  const { minLength, maxLength, pattern, format, allOf } = schema;
  const result: Schema = {};
  if (typeof minLength === "number") result.minLength = minLength;
  if (typeof maxLength === "number") result.maxLength = maxLength;
  if (typeof pattern === "string") result.pattern = patternOf(pattern, path, report);
  const hasPattern =
    pattern !== undefined ||
    (Array.isArray(allOf) && allOf.some((part) => isJsonSchema(part) && part.pattern !== undefined));
  // If zod writes both, the pattern checks the same as the format.
  if (typeof format !== "string" || hasPattern) return result;
  if (!servedFormats.has(format)) {
    report(path, `an API server does not check the format ${format}`, "use a regular expression");
    return result;
  }
  // With type and format in one schema, kube-openapi accepts lists (typeValidator). Within allOf it does not.
  return { ...result, allOf: [{ format }] };
}

/** Returns a pattern in the syntax of RE2, which API servers use. Reports one that RE2 cannot express. */
function patternOf(pattern: string, path: string, report: ReportField): string {
  const translated = pattern
    .replace(/\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\}|.)/gs, (all, four, braced) =>
      (four ?? braced) === undefined ? all : `\\x{${four ?? braced}}`,
    )
    .replace(/\(\?<(?![=!])[^>]*>/g, "(?:");
  try {
    RE2JS.compile(translated);
  } catch (error) {
    report(
      path,
      `the pattern ${pattern} is not valid in RE2, the syntax of API servers (${(error as Error).message})`,
      "write it without lookarounds and backreferences",
    );
  }
  return translated;
}
