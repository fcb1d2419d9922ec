import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../schema/schema.ts";
import type { Place, ReportField } from "./json-schema.ts";
import { fieldOf } from "./json-schema.ts";

export type Junctor = "anyOf" | "oneOf";

export const validations = "x-kubernetes-validations";

const unchecked = "let the server keep this field unchecked with x-kubernetes-preserve-unknown-fields: true";
const scalars = ["string", "integer", "number", "boolean"];

/**
 * Returns one schema for a union. Kubernetes supports unions of values of one type, and unions of integers
 * and strings. Reports any other union.
 */
export function unite(given: readonly Schema[], word: Junctor, at: Place, report: ReportField): Schema {
  const nullable = given.some((branch) => branch.nullable === true);
  const branches = given.map(withoutAnnotations);
  if (branches.some((branch) => branch["x-kubernetes-validations"] !== undefined)) {
    report(
      at.path,
      "a union cannot have CEL rules in its members",
      "move x-kubernetes-validations to the union",
    );
  }
  const open = branches.find(isAnything);
  if (open !== undefined) return { ...open, nullable: true };
  const types = [...new Set(branches.map(({ type }) => type ?? ""))];
  const groups = types.map((type) =>
    uniteOneType(
      branches.filter((branch) => (branch.type ?? "") === type),
      word,
      at,
      report,
    ),
  );
  const [first = {}] = groups;
  const result = groups.length === 1 ? first : uniteIntegerAndString(groups, at, report);
  return nullable ? { ...result, nullable: true } : result;
}

function uniteOneType(branches: readonly Schema[], word: Junctor, at: Place, report: ReportField): Schema {
  const [first = {}] = branches;
  if (branches.every((branch) => isDeepStrictEqual(branch, first))) return first;
  const { type = "" } = first;
  if (!scalars.includes(type)) {
    const what =
      type === "" ? "this union is not supported" : `a union of different ${type}s is not supported`;
    const out = `use one ${type || "type"} with optional fields and a rule in CEL (x-kubernetes-validations), or ${unchecked}`;
    report(at.path, what, out);
    return { "x-kubernetes-preserve-unknown-fields": true };
  }
  const rest = branches.map(({ type: _, ...checks }) => checks);
  const values = rest.flatMap((checks) => checks.enum ?? []);
  const areEnums = rest.every((checks) => checks.enum !== undefined && withoutFormat(checks) === 1);
  if (areEnums) return { ...first, enum: [...new Set(values)] };
  // A branch without checks allows any value of the type.
  if (word === "anyOf" && rest.some((checks) => Object.keys(checks).length === 0)) return { type };
  return { type, [word]: rest };
}

function withoutFormat({ format: _, ...checks }: Schema): number {
  return Object.keys(checks).length;
}

/** Unites an integer and a string. The checks of one do not affect the other, so one schema can have both. */
function uniteIntegerAndString(groups: readonly Schema[], { path }: Place, report: ReportField): Schema {
  const integer = groups.find(({ type }) => type === "integer");
  const string = groups.find(({ type }) => type === "string");
  const fits = groups.length === 2 && integer !== undefined && string !== undefined;
  const isSimple =
    fits &&
    !integer.enum &&
    ![...Object.keys(integer), ...Object.keys(string)].some((key) => /Of$/.test(key) && key !== "multipleOf");
  if (!isSimple) {
    const names = groups.map(({ type }) => type ?? "another union").join(" and ");
    report(
      path,
      fits ? "this union of integers and strings is not supported" : `a union of ${names} is not supported`,
      `use one type, or any integer and string, or ${unchecked}`,
    );
    return { "x-kubernetes-preserve-unknown-fields": true };
  }
  const { type: _, format: __, ...bounds } = integer;
  const { type: ___, format: ____, enum: values, ...checks } = string;
  return {
    anyOf: [{ type: "integer" }, { type: "string" }],
    "x-kubernetes-int-or-string": true,
    ...bounds,
    ...checks,
    ...(values === undefined
      ? {}
      : { pattern: `^(?:${values.map((value) => quote(String(value))).join("|")})$` }),
  };
}

function quote(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Returns one schema for the values that both schemas allow. */
export function intersect(a: Schema, b: Schema, at: Place, report: ReportField): Schema {
  if (isAnything(a) !== isAnything(b)) {
    const { nullable: _, ...both } = intersect(withoutKeep(a), withoutKeep(b), at, report);
    return { ...both, ...nullableOf(a, b) };
  }
  const { nullable: _, ...first } = a;
  const { nullable: __, ...others } = b;
  const result: Record<string, unknown> = { ...first, ...nullableOf(a, b) };
  const second: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(others)) {
    const known = result[key];
    if (known === undefined) result[key] = value;
    else if (isDeepStrictEqual(known, value)) continue;
    else if (key === "properties") {
      result[key] = intersectFields(a.properties ?? {}, b.properties ?? {}, at, report);
    } else if (key === "allOf") {
      result[key] = [...(a.allOf ?? []), ...(b.allOf ?? [])];
    } else if (key === "required") {
      result[key] = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
    } else if (key === validations) {
      result[key] = concatRules(a[validations] ?? [], b[validations] ?? []);
    } else if (checks.test(key)) {
      // A bound and whether it is exclusive belong together.
      for (const [other, own] of Object.entries(b)) if (checks.test(other)) second[other] = own;
    } else if (key !== "title" && key !== "description") {
      reportDifference(key, at.path, report);
    }
  }
  if (Object.keys(second).length > 0)
    result.allOf = [...((result.allOf as Schema[] | undefined) ?? []), second];
  return result as Schema;
}

/** Keywords that can occur several times, in allOf. */
const checks = /^(?:min|max|exclusive|pattern$|enum$|multipleOf$|format$|anyOf$|oneOf$)/;

function intersectFields(
  a: Readonly<Record<string, Schema>>,
  b: Readonly<Record<string, Schema>>,
  at: Place,
  report: ReportField,
): Record<string, Schema> {
  const fields = new Map(Object.entries(a));
  for (const [name, field] of Object.entries(b)) {
    const known = fields.get(name);
    fields.set(name, known === undefined ? field : intersect(known, field, fieldOf(at, name), report));
  }
  return Object.fromEntries(fields);
}

/** Returns the rules of both lists. Includes a rule that is in both only once. */
export function concatRules<Rule>(a: readonly Rule[], b: readonly Rule[]): Rule[] {
  return [...a, ...b.filter((rule) => !a.some((known) => isDeepStrictEqual(known, rule)))];
}

export function reportDifference(key: string, path: string, report: ReportField): void {
  report(path, `an intersection of schemas that differ in ${key} is not supported`, "write one schema");
}

function nullableOf(a: Schema, b: Schema): Schema {
  const isNullable = allowsNull(a) && allowsNull(b) && (a.nullable === true || b.nullable === true);
  return isNullable ? { nullable: true } : {};
}

/** Returns whether a schema allows null. Checks without a type allow it. */
function allowsNull(schema: Schema): boolean {
  const { type, nullable, "x-kubernetes-int-or-string": isTyped } = schema;
  return nullable === true || (type === undefined && isTyped !== true && !isAnything(schema));
}

function withoutKeep(schema: Schema): Schema {
  if (!isAnything(schema)) return schema;
  const { "x-kubernetes-preserve-unknown-fields": _, ...rest } = schema;
  return rest;
}

function isAnything({ type, "x-kubernetes-preserve-unknown-fields": keeps }: Schema): boolean {
  return type === undefined && keeps === true;
}

/** Returns the checks of a schema. The members of a union in Kubernetes cannot have anything else. */
function withoutAnnotations({
  title: _,
  description: __,
  default: ___,
  nullable: ____,
  ...rest
}: Schema): Schema {
  return rest;
}
