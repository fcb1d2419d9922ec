import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import {
  ADDED,
  compareValues,
  MODIFIED,
  REMOVED,
  selectPaths,
} from "../../lib/structured-merge-diff/compare.ts";
import { difference, type FieldSet } from "../../lib/structured-merge-diff/field-set.ts";
import { toFieldSet } from "../../lib/structured-merge-diff/to-field-set.ts";
import { type TypedObject, TypedValueError } from "../../lib/structured-merge-diff/typed-value.ts";
import { validateTyped } from "../../lib/structured-merge-diff/validate-typed.ts";

/** Where client-side apply keeps what it applied. */
const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/** metadata.annotations may take this many bytes, names and values together. */
const annotationsLimit = 256 * 1024;

/** The text of the annotation; undefined when there is none. */
function lastAppliedOf(object: JsonObject): string | undefined {
  const { annotations } = isJsonObject(object.metadata) ? object.metadata : {};
  const text = isJsonObject(annotations) ? annotations[lastAppliedAnnotation] : undefined;
  return typeof text === "string" && text !== "" ? text : undefined;
}

/**
 * The fields that client-side apply set and that have its values still: a server-side apply of kubectl takes them over
 * without a conflict (lastAppliedManager).
 * @returns undefined when the annotation is absent or of no use
 */
export function fieldsOfLastApplied(live: TypedObject): FieldSet | undefined {
  const text = lastAppliedOf(live.value);
  if (text === undefined) return undefined;
  try {
    const applied = JSON.parse(text) as JsonValue;
    if (!isJsonObject(applied) || applied.apiVersion !== live.apiVersion) return undefined;
    validateTyped(applied, live.type);
    const compared = compareValues(applied, live.value, live.type);
    const changed = selectPaths(compared, ADDED | MODIFIED | REMOVED);
    return difference(toFieldSet(applied, live.type), changed);
  } catch (error) {
    if (error instanceof TypedValueError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Keeps the annotation, where there is one, in step with what kubectl applied, so that it can go back to client-side
 * apply (lastAppliedUpdater). Changes the object, whose metadata has to be its own.
 */
export function updateLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  if (lastAppliedOf(object) === undefined || !isJsonObject(object.metadata)) return object;
  const { [lastAppliedAnnotation]: _old, ...others } = object.metadata.annotations as JsonObject;
  const annotations = { ...others, [lastAppliedAnnotation]: `${goJson(withoutAnnotation(applied))}\n` };
  const kept = size(annotations) > annotationsLimit ? others : annotations;
  return { ...object, metadata: { ...object.metadata, annotations: sorted(kept) } };
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  if (!isJsonObject(applied.metadata) || !isJsonObject(applied.metadata.annotations)) return applied;
  const { [lastAppliedAnnotation]: _own, ...annotations } = applied.metadata.annotations;
  const { annotations: _annotations, ...metadata } = applied.metadata;
  // No annotation left: the map itself goes too.
  const kept = Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations };
  return { ...applied, metadata: kept };
}

function size(annotations: JsonObject): number {
  return Object.entries(annotations).reduce(
    (sum, [name, value]) => sum + name.length + Buffer.byteLength(String(value)),
    0,
  );
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** JSON as Go writes it: members in order, `<`, `>` and `&` escaped. */
function goJson(value: JsonValue): string {
  const text = JSON.stringify(value, (_name, member: JsonValue) =>
    isJsonObject(member) ? sorted(member) : member,
  );
  return text.replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
