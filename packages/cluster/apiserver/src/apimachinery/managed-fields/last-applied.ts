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

/** The annotation in which client-side apply stores the applied configuration. */
const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/** The most bytes of metadata.annotations, names and values together. */
const annotationsLimit = 256 * 1024;

/** Returns the text of the annotation, or undefined if it is missing. */
function lastAppliedOf(object: JsonObject): string | undefined {
  const { annotations } = isJsonObject(object.metadata) ? object.metadata : {};
  const text = isJsonObject(annotations) ? annotations[lastAppliedAnnotation] : undefined;
  return typeof text === "string" && text !== "" ? text : undefined;
}

/**
 * Returns the fields that client-side apply has set and that still have its values (lastAppliedManager). A
 * server-side apply of kubectl takes these over without a conflict. Returns undefined if the annotation is
 * missing or invalid.
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
 * Updates the annotation, if it exists, so that kubectl can return to client-side apply (lastAppliedUpdater).
 * Changes the object, whose metadata must not be shared.
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
  // Removes the map too if no annotation is left.
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

/** Formats JSON like Go: members in order, with `<`, `>` and `&` escaped. */
function goJson(value: JsonValue): string {
  const text = JSON.stringify(value, (_name, member: JsonValue) =>
    isJsonObject(member) ? sorted(member) : member,
  );
  return text.replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
