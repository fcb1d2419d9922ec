import { fail, global, type Library } from "../functions.ts";
import { mapOf, parameter } from "../types.ts";
import { type CelMap, type CelValue, EntryMap } from "../values.ts";

const K = parameter("K");
const V = parameter("V");
const map = mapOf(K, V);

/** The functions that transformMap and transformMapEntry expand to. Expressions cannot name them. */
export const maps: Library = {
  "cel.@mapInsert": [
    global([map, K, V], map, (into: CelMap, key: CelValue, value: CelValue) => insert(into, [[key, value]])),
    global([map, map], map, (into: CelMap, from: CelMap) =>
      insert(
        into,
        [...from.keys()].map((key) => [key, from.get(key) as CelValue] as const),
      ),
    ),
  ],
};

function insert(into: CelMap, entries: readonly (readonly [CelValue, CelValue])[]): CelMap {
  for (const [key] of entries) {
    if (into.get(key) !== undefined) fail(`insert failed: key ${String(key)} already exists`);
  }
  const before = [...into.keys()].map((key) => [key, into.get(key) as CelValue] as const);
  return new EntryMap([...before, ...entries]);
}
