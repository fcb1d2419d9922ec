import type { Schema } from "./schema.ts";

/** Finds a type's schema by the key of a `$ref`. */
export type Lookup = (key: string) => Schema | undefined;

/** Told when a value has two types, or a type contains itself, which no structural schema can say. */
export interface FlattenReport {
  readonly onConflict: (types: readonly [string, string]) => void;
  readonly onLoop: (key: string) => void;
}

/** Schemas that were met before, in one run. What is found in them must not be changed. */
export interface FlattenCache {
  readonly resolved: Map<string, Schema>;
  readonly merged: WeakMap<Schema, Schema>;
}

export function createFlattenCache(): FlattenCache {
  return { resolved: new Map(), merged: new WeakMap() };
}

/**
 * A schema without references, and without `allOf` where its branches say nothing that contradicts: what a
 * CustomResourceDefinition needs to be structural. What a field says of itself is laid over what its type says. A type
 * that is used in several places is one object in the result, so that work on it can be done once.
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
  // A reference with nothing of its own is the type itself.
  return Object.keys(field).length === 0 ? type : layered(type, field);
}

/** Both as branches; documentation is the field's, where it has any. */
function layered(type: Schema, field: Schema): Schema {
  const { description, title, externalDocs, example, ...rest } = field;
  return withoutUndefined({
    allOf: [type, rest],
    description: description || type.description,
    title: title || type.title,
    externalDocs: externalDocs ?? type.externalDocs,
    example: example ?? type.example,
  });
}

/** The schema with the schemas that it holds, one level down, changed; itself when none is. */
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

/** From the outside in: branches are merged, then those of the result's children. */
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

/** Compared as Go compares them: numbers and lists sit behind pointers there, and are never the same. */
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

/** What cannot be merged is left to `allOf`, where both have to hold. */
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

/** Whether both could be made one. */
function mergeMember(target: Schema, source: Schema, key: keyof Schema, report: FlattenReport): boolean {
  switch (key) {
    case "enum":
      // The first one holds.
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
