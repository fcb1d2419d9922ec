import { badRequest, quote } from "../../apimachinery/errors.ts";
import type { FieldReader, FieldRequirement } from "../../apimachinery/selectors/fields.ts";
import { type ApiObject, isJsonObject, type JsonValue } from "../../lib/json/json.ts";

/** A compiled field selector. */
export interface FieldSelector {
  readonly empty: boolean;
  /** The name that `metadata.name=…` requires. */
  readonly name?: string;
  /** The namespace that `metadata.namespace=…` requires. */
  readonly namespace?: string;
  matches(object: ApiObject): boolean;
}

/** Returns a reader of a path. Missing values, null and objects read as "", a Go zero value. */
export function readField(...path: string[]): FieldReader {
  return (object) => {
    let value: JsonValue | undefined = object;
    for (const member of path) value = isJsonObject(value) ? value[member] : undefined;
    return value === undefined || value === null || typeof value === "object" ? "" : String(value);
  };
}

export function field(dotted: string): [string, FieldReader] {
  return [dotted, readField(...dotted.split("."))];
}

/** Returns a reader of a boolean or number whose absence means its zero value. */
export function fieldWithZero(dotted: string, zero: string): [string, FieldReader] {
  const read = readField(...dotted.split("."));
  return [dotted, (object) => read(object) || zero];
}

/** The selectable fields of a kind in addition to metadata.name and metadata.namespace. */
export interface SelectableFields {
  /** Fields of a built-in kind with a function for field labels in Go (AddFieldLabelConversionFunc). */
  readonly labels?: ReadonlyMap<string, FieldReader>;
  /** Dotted paths from selectableFields of a CustomResourceDefinition: `spec.color`. */
  readonly paths?: readonly string[];
}

/** Compiles a selector. @throws ApiStatusError 400 for a field that the kind does not support */
export function compileFieldSelector(
  requirements: FieldRequirement[],
  namespaced: boolean,
  selectable: SelectableFields,
): FieldSelector {
  const { labels, paths = [] } = selectable;
  const readers = new Map<string, FieldReader>([
    field("metadata.name"),
    ...(namespaced || labels === undefined ? [field("metadata.namespace")] : []),
    ...(labels ?? []),
    ...paths.map(field),
  ]);
  const tests = requirements.map(({ field, negated, value }) => {
    const read = readers.get(field);
    if (read === undefined) throw unsupported(field, selectable);
    return (object: ApiObject) => (read(object) === value) !== negated;
  });
  const exact = (field: string) =>
    requirements.find((requirement) => requirement.field === field && !requirement.negated)?.value;
  const name = exact("metadata.name");
  const namespace = exact("metadata.namespace");
  return {
    empty: tests.length === 0,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    matches: (object) => tests.every((test) => test(object)),
  };
}

/** Returns the refusal, whose message depends on whether the kind has its own selectable fields. */
function unsupported(field: string, { labels, paths = [] }: SelectableFields) {
  if (labels !== undefined || paths.length > 0) return badRequest(`field label not supported: ${field}`);
  return badRequest(
    `${quote(field)} is not a known field selector: only ${quote("metadata.name")}, ${quote("metadata.namespace")}`,
  );
}
