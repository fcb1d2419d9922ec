import { validateObjectMeta } from "../../apimachinery/validation/object-meta.ts";
import { type ApiObject, isJsonObject, type JsonObject, type ObjectMeta } from "../../lib/json/json.ts";

/**
 * Returns the object of a conversion webhook with the original metadata. Only labels and annotations may
 * change.
 *
 * @returns the object, or its problem as text to follow "conversion webhook for … "
 */
export function restoreMetadata(
  original: ApiObject,
  converted: unknown,
  apiVersion: string,
): ApiObject | string {
  const object = isJsonObject(converted) ? (converted as JsonObject) : {};
  if (!object.kind) return `Object 'Kind' is missing in '${JSON.stringify(converted)}'`;
  if (object.apiVersion !== apiVersion) {
    const given = String(object.apiVersion ?? "");
    return `returned invalid object at index 0: invalid groupVersion (expected ${apiVersion}, received ${given})`;
  }
  if (object.kind !== original.kind) {
    return `returned invalid object at index 0: invalid kind (expected ${original.kind}, received ${String(object.kind ?? "")})`;
  }
  const { metadata } = object;
  const given = isJsonObject(metadata) ? metadata : {};
  for (const [field, noun] of Object.entries({ name: "name", namespace: "namespace", uid: "UID" })) {
    const before = original.metadata[field as keyof ObjectMeta] ?? "";
    const now = given[field] ?? "";
    if (before === now) continue;
    return `returned invalid object: must have the same ${noun}: ${String(before)} != ${String(now)}`;
  }
  if (metadata === undefined) return "returned invalid metadata: missing metadata in converted object";
  if (!isJsonObject(metadata)) {
    return `returned invalid metadata: invalid metadata of type ${goType(metadata)} in converted object`;
  }
  const restored: ObjectMeta = { ...original.metadata };
  for (const field of ["labels", "annotations"] as const) {
    const value = metadata[field];
    delete restored[field];
    if (value === undefined || value === null) continue;
    const wrong = checkTexts(value, field);
    if (wrong !== undefined) return `returned invalid metadata: ${wrong}`;
    restored[field] = value as Record<string, string>;
  }
  const [cause] = validateObjectMeta(restored, "metadata", { namespaced: true, old: original.metadata });
  if (cause !== undefined && /^metadata\.(labels|annotations)/.test(cause.field ?? "")) {
    return `returned invalid metadata: ${cause.field}: ${cause.message}`;
  }
  return { ...object, apiVersion, kind: original.kind, metadata: restored };
}

function checkTexts(value: unknown, field: string): string | undefined {
  if (!isJsonObject(value)) return `invalid metadata.${field} of type ${goType(value)} in converted object`;
  for (const [key, text] of Object.entries(value)) {
    if (typeof text === "string") continue;
    return `metadata.${field}[${key}] must be a string, but is ${goType(text)} in converted object`;
  }
  return undefined;
}

function goType(value: unknown): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "map[string]interface {}";
}
