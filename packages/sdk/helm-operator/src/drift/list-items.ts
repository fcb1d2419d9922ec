import { isJsonObject, type JsonObject, own } from "../json.ts";
import type { ListRule } from "./schema.ts";

/**
 * Returns the items of a list by their keys, as text (`port=80,protocol="TCP"`). Returns undefined when keys
 * are missing or not unique: such a list is compared as a whole.
 */
export function itemsByKey(
  list: readonly unknown[],
  { keys, defaults }: Exclude<ListRule, string>,
): Map<string, JsonObject> | undefined {
  const items = new Map<string, JsonObject>();
  for (const item of list) {
    if (!isJsonObject(item)) return undefined;
    const values = keys.map((key) => [key, own(item, key) ?? defaults.get(key)] as const);
    if (values.every(([, value]) => value === undefined)) return undefined;
    const text = values.map(([key, value]) => `${key}=${JSON.stringify(value) ?? ""}`).join(",");
    if (items.has(text)) return undefined;
    items.set(text, item);
  }
  return items;
}
