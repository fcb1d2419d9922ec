import type { JsonValue } from "../../lib/json/json.ts";

/**
 * About how many bytes of memory a value takes: text with one byte for each character, and a few words for every
 * object, member and item. Memory that two values share counts for both.
 */
export function heapSize(value: JsonValue | undefined): number {
  if (typeof value === "string") return 16 + value.length;
  if (typeof value !== "object" || value === null) return 8;
  let size = 32;
  if (Array.isArray(value)) for (const item of value) size += 8 + heapSize(item);
  else {
    for (const [name, member] of Object.entries(value)) {
      // Which fields a manager owns is kept once for all objects of which it owns the same ones.
      size += 16 + name.length + (name === "fieldsV1" ? 8 : heapSize(member));
    }
  }
  return size;
}
