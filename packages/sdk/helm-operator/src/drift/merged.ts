import type { Status } from "@operator-path/client";
import { isJsonObject, type JsonObject, type JsonValue, own, put } from "../json.ts";
import { type CompareOptions, differences, fieldOf, itemsByKey, removedKeys } from "./differences.ts";
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
    const removed = new Set(removedKeys(before, wanted, live));
    const hasAlternatives = schema.type === "struct" && schema.retainKeys && !isSame(wanted, live, schema);
    const result: JsonObject = {};
    for (const [name, value] of Object.entries(live)) {
      const stays = hasAlternatives ? Object.hasOwn(wanted, name) : !removed.has(name);
      if (value !== undefined && stays) put(result, name, value);
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

/**
 * Returns a rejected object without the members that another writer has set beside the wanted ones, where the
 * server says that the two exclude each other: a variable's `value` beside `valueFrom`, a probe's `tcpSocket`
 * beside `httpGet`.
 *
 * Changes only objects in lists. Exclusive members stand there, and objects further out hold too much that
 * other writers have rightly set.
 *
 * @param refused the object that was sent and rejected with this Status
 * @returns undefined when there is nothing to remove
 */
export function withoutAlternatives(
  refused: JsonObject,
  wanted: JsonObject,
  { details }: Status,
  schema: Schema,
): JsonObject | undefined {
  const copy = structuredClone(refused);
  let isChanged = false;
  for (const { field = "" } of details?.causes ?? []) {
    const path = segmentsOf(field);
    // The last segment is the member that must not stand beside another: that one is in the same object.
    for (let length = path.length; length >= 2; length--) {
      if (!path.slice(0, length).some((segment) => typeof segment === "number")) break;
      if (removeOthers(path.slice(0, length))) {
        isChanged = true;
        break;
      }
    }
  }
  return isChanged ? copy : undefined;

  function removeOthers(path: readonly (string | number)[]): boolean {
    let [there, here, known]: [JsonValue | undefined, JsonValue | undefined, Schema] = [copy, wanted, schema];
    for (const segment of path) {
      if (typeof segment === "number") {
        if (!Array.isArray(there) || !Array.isArray(here) || known.type !== "list") return false;
        here = counterpart(there, here, segment, known);
        there = there[segment];
        known = known.items;
      } else {
        if (!isJsonObject(there) || !isJsonObject(here)) return false;
        [there, here, known] = [own(there, segment), own(here, segment), fieldOf(known, segment)];
      }
    }
    if (!isJsonObject(there) || !isJsonObject(here) || known.type !== "struct") return false;
    const stated = here;
    const others = Object.keys(there).filter((name) => !Object.hasOwn(stated, name));
    for (const name of others) delete there[name];
    return others.length > 0;
  }
}

/** Returns the item of the wanted list that has the key of the rejected list's item. */
function counterpart(
  there: JsonValue[],
  here: JsonValue[],
  index: number,
  { rule }: Schema & { type: "list" },
): JsonObject | undefined {
  const item = there[index];
  if (typeof rule === "string" || item === undefined) return undefined;
  const [key] = itemsByKey([item], rule)?.keys() ?? [];
  return key === undefined ? undefined : itemsByKey(here, rule)?.get(key);
}

/** `spec.containers[0].env[1].valueFrom` */
function segmentsOf(field: string): (string | number)[] {
  return [...field.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? (name ?? "") : Number(index),
  );
}
