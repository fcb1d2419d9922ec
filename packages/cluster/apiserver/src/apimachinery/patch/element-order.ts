import { isJsonObject, type JsonValue } from "../../lib/json/json.ts";

/** Returns the identity of an element in a merged list: its merge key, or the element itself. */
export function identity(element: JsonValue, mergeKey: string | undefined): JsonValue | undefined {
  if (mergeKey === undefined) return element;
  return isJsonObject(element) ? element[mergeKey] : undefined;
}

/**
 * Orders a merged list. Elements that the client named have the client's order, the others that of the live
 * list. The others are inserted where the live list had them.
 *
 * @param wanted the client's order: `$setElementOrder`, or the patch's own list
 * @param live the list before the patch
 */
export function orderElements(
  merged: JsonValue[],
  wanted: JsonValue[],
  live: JsonValue[],
  mergeKey: string | undefined,
): JsonValue[] {
  const wantedAt = positions(wanted, mergeKey);
  const liveAt = positions(live, mergeKey);
  const at = (order: Map<unknown, number>, element: JsonValue) =>
    order.get(identity(element, mergeKey)) ?? -1;

  const named = merged
    .filter((element) => at(wantedAt, element) >= 0)
    .sort((a, b) => at(wantedAt, a) - at(wantedAt, b));
  const others = merged
    .filter((element) => at(wantedAt, element) < 0)
    .sort((a, b) => at(liveAt, a) - at(liveAt, b));

  const result: JsonValue[] = [];
  let next = 0;
  for (const element of named) {
    const place = at(liveAt, element);
    while (place >= 0 && next < others.length) {
      const other = others[next];
      if (other === undefined || at(liveAt, other) < 0 || at(liveAt, other) >= place) break;
      result.push(other);
      next++;
    }
    result.push(element);
  }
  return [...result, ...others.slice(next)];
}

function positions(list: JsonValue[], mergeKey: string | undefined): Map<unknown, number> {
  const order = new Map<unknown, number>();
  list.forEach((element, index) => {
    const id = identity(element, mergeKey);
    if (!order.has(id)) order.set(id, index);
  });
  return order;
}
