import type { Schema } from "./schema.ts";

/** Finds a type's schema by the key of a `$ref`. */
export type Lookup = (key: string) => Schema | undefined;

/** Receives the problems for which a structural schema has no form. */
export interface FlattenReport {
  /** A value has two types. */
  readonly onConflict: (types: readonly [string, string]) => void;
  /** A type contains itself. */
  readonly onLoop: (key: string) => void;
}

/** The schemas flattened so far in one run. Callers must not change them. */
export interface FlattenCache {
  readonly resolved: Map<string, Schema>;
  readonly merged: WeakMap<Schema, Schema>;
}

export function createFlattenCache(): FlattenCache {
  return { resolved: new Map(), merged: new WeakMap() };
}

/**
 * Returns a schema without references, as a CustomResourceDefinition needs it to be structural. Merges the
 * branches of `allOf` unless they contradict each other. The keywords of a field are laid over those of its
 * type. A type that is used in several places is one object in the result, so later steps process it once.
 */
export function flatten(schema: Schema, lookup: Lookup, report: FlattenReport, cache: FlattenCache): Schema {
  return mergeBranches(resolve(schema, lookup, cache, [], report), report, cache);
}

function resolve(
  schema: Schema,
  lookup: Lookup,
  cache: FlattenCache,
  path: readonly string[],
  report: FlattenReport,
): Schema {
  const { $ref: key, ...field } = schema;
  if (key === undefined) return withChildren(schema, (child) => resolve(child, lookup, cache, path, report));
  if (path.includes(key)) {
    report.onLoop(key);
    return {};
  }
  let type = cache.resolved.get(key);
  if (type === undefined) {
    type = resolve(lookup(key) ?? {}, lookup, cache, [...path, key], report);
    cache.resolved.set(key, type);
  }
  return Object.keys(field).length === 0 ? type : overlay(type, field);
}

/**
 * Returns an `allOf` of both. Documentation comes from the field if it has any, and from the type otherwise.
 */
function overlay(type: Schema, field: Schema): Schema {
  const { description, title, externalDocs, example, ...rest } = field;
  return withoutUndefined({
    allOf: [type, rest],
    description: description || type.description,
    title: title || type.title,
    externalDocs: externalDocs ?? type.externalDocs,
    example: example ?? type.example,
  });
}

/** Returns a copy of the schema in which `change` has replaced each schema one level down. */
function withChildren(schema: Schema, change: (child: Schema) => Schema): Schema {
  const changed: Schema = { ...schema };
  if (schema.items !== undefined) changed.items = change(schema.items);
  if (schema.allOf !== undefined) changed.allOf = schema.allOf.map(change);
  if (schema.anyOf !== undefined) changed.anyOf = schema.anyOf.map(change);
  if (schema.properties !== undefined) {
    changed.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => [name, change(child)]),
    );
  }
  if (typeof schema.additionalProperties === "object") {
    changed.additionalProperties = change(schema.additionalProperties);
  }
  return changed;
}

/** Merges the branches of the schema, then those of its children. */
function mergeBranches(schema: Schema, report: FlattenReport, cache: FlattenCache): Schema {
  let merged = cache.merged.get(schema);
  if (merged === undefined) {
    const { allOf: branches = [], ...own } = schema;
    for (const branch of branches) mergeInto(own, branch, report);
    merged = withChildren(own, (child) => mergeBranches(child, report, cache));
    cache.merged.set(schema, merged);
  }
  return merged;
}

/**
 * Keywords that Go compares by value. It holds numbers and lists by pointer, so two of those always differ.
 */
const comparable = new Set<string>([
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "nullable",
  "pattern",
  "type",
  "uniqueItems",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
]);
const documentation = new Set<string>(["allOf", "description", "title", "example", "externalDocs"]);

/**
 * Merges `source` into `target`. Keywords that cannot be merged become branches of `allOf`, which must both
 * hold.
 */
function mergeInto(target: Schema, source: Schema, report: FlattenReport): void {
  for (const branch of source.allOf ?? []) mergeInto(target, branch, report);
  const targetRest: Record<string, unknown> = {};
  const sourceRest: Record<string, unknown> = {};
  const into = target as Record<string, unknown>;
  for (const [key, value] of Object.entries(source)) {
    if (documentation.has(key) || value === undefined || value === false || value === "") continue;
    const own = into[key];
    if (own === undefined || own === false || own === "") {
      into[key] = value;
    } else if (comparable.has(key) && own === value) {
    } else if (!mergeMember(target, source, key as keyof Schema, report)) {
      sourceRest[key] = value;
      targetRest[key] = own;
      delete into[key];
    }
  }
  if (Object.keys(sourceRest).length > 0) {
    target.allOf = [...(target.allOf ?? []), targetRest as Schema, sourceRest as Schema];
  }
  if (target.required !== undefined) target.required = [...new Set(target.required)].sort();
}

/** Merges one keyword and returns true, or returns false if it cannot be merged. */
function mergeMember(target: Schema, source: Schema, key: keyof Schema, report: FlattenReport): boolean {
  switch (key) {
    case "enum":
      // controller-tools uses the first enum.
      return true;
    case "properties":
      for (const [name, child] of Object.entries(source.properties ?? {})) {
        const own = target.properties?.[name];
        target.properties = {
          ...target.properties,
          [name]: own === undefined ? child : mergedCopy(own, child, report),
        };
      }
      return true;
    case "required":
      target.required = [...(target.required ?? []), ...(source.required ?? [])];
      return true;
    case "type":
      report.onConflict([target.type ?? "", source.type ?? ""]);
      return true;
    case "additionalProperties":
      if (typeof source.additionalProperties === "object") {
        const own = typeof target.additionalProperties === "object" ? target.additionalProperties : {};
        target.additionalProperties = mergedCopy(own, source.additionalProperties, report);
      }
      return true;
    case "x-kubernetes-preserve-unknown-fields":
    case "x-kubernetes-map-type":
      Object.assign(target, { [key]: source[key] });
      return true;
    case "x-kubernetes-validations":
      target[key] = [...(source[key] ?? []), ...(target[key] ?? [])];
      return true;
    default:
      return false;
  }
}

function mergedCopy(target: Schema, source: Schema, report: FlattenReport): Schema {
  const copy = { ...target };
  mergeInto(copy, source, report);
  return copy;
}

function withoutUndefined(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as Schema;
}
