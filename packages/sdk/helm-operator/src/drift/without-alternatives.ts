import type { Status } from "@operator-path/client";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { fieldOf } from "./differences.ts";
import { itemsByKey } from "./list-items.ts";
import type { Schema } from "./schema.ts";

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
