import { isJsonObject, type JsonObject, type JsonValue, own, put } from "../json.ts";
import { type CompareOptions, differences, fieldOf, removedKeys } from "./differences.ts";
import { itemsByKey } from "./list-items.ts";
import { anySchema, type Schema } from "./schema.ts";

/**
 * Returns a live object with the wanted fields, and without what only the previous configuration had (Go:
 * strategicpatch.CreateThreeWayMergePatch, applied). Everything else stays as it is.
 */
export function merged(
  wanted: JsonObject,
  live: JsonObject,
  previous: JsonObject | undefined,
  options: CompareOptions,
): JsonObject {
  const { isBuiltIn } = options;
  return mergeObjects(wanted, live, previous ?? {}, options.schema);

  function merge(wanted: JsonValue, live: JsonValue | undefined, before: unknown, schema: Schema): JsonValue {
    if (live === undefined) return wanted;
    if (isJsonObject(wanted) && isJsonObject(live)) {
      return mergeObjects(wanted, live, isJsonObject(before) ? before : {}, schema);
    }
    if (Array.isArray(wanted) && Array.isArray(live)) {
      return mergeLists(wanted, live, Array.isArray(before) ? before : [], schema);
    }
    return isSame(wanted, live, schema) ? live : wanted;
  }

  function mergeObjects(
    wanted: JsonObject,
    live: JsonObject,
    before: JsonObject,
    schema: Schema,
  ): JsonObject {
    const gone = new Set(removedKeys(before, wanted, live));
    const hasAlternatives = schema.type === "struct" && schema.retainKeys && !isSame(wanted, live, schema);
    const result: JsonObject = {};
    for (const [name, value] of Object.entries(live)) {
      const isLeft = hasAlternatives ? Object.hasOwn(wanted, name) : !gone.has(name);
      if (value !== undefined && isLeft) put(result, name, value);
    }
    for (const [name, value] of Object.entries(wanted)) {
      if (value === undefined || value === null) continue;
      put(result, name, merge(value, own(live, name), own(before, name), fieldOf(schema, name)));
    }
    return result;
  }

  function mergeLists(
    wanted: JsonValue[],
    live: JsonValue[],
    before: JsonValue[],
    schema: Schema,
  ): JsonValue[] {
    const rule = schema.type === "list" ? schema.rule : "atomic";
    const items = schema.type === "list" ? schema.items : anySchema;
    if (rule === "set") {
      const kept = live.filter((item) => wanted.includes(item) || !before.includes(item));
      return [...kept, ...wanted.filter((item) => !live.includes(item))];
    }
    const [wantedItems, liveItems] =
      rule === "atomic" ? [] : [itemsByKey(wanted, rule), itemsByKey(live, rule)];
    if (rule === "atomic" || !wantedItems || !liveItems) return isSame(wanted, live, schema) ? live : wanted;
    const oldItems = itemsByKey(before, rule) ?? new Map<string, JsonObject>();
    const result: JsonValue[] = [];
    for (const [key, item] of liveItems) {
      const own = wantedItems.get(key);
      if (own) result.push(mergeObjects(own, item, oldItems.get(key) ?? {}, items));
      else if (!oldItems.has(key)) result.push(item);
    }
    for (const [key, item] of wantedItems) if (!liveItems.has(key)) result.push(item);
    return result;
  }

  function isSame(wanted: unknown, live: unknown, schema: Schema): boolean {
    return differences(wanted, live, undefined, { schema, isBuiltIn }).length === 0;
  }
}
