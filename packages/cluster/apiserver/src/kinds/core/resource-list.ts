import {
  compareQuantities,
  formatQuantity,
  type ParsedQuantity,
  parseQuantity,
  QuantityError,
} from "@operator-path/client";
import { isJsonObject, type JsonValue } from "../../lib/json/json.ts";

/** core/v1 ResourceList: quantities by resource name. */
export type ResourceList = Readonly<Record<string, ParsedQuantity>>;

const none: ParsedQuantity = { nano: 0n, format: "DecimalSI" };

/** Returns a quantity of whole units. */
export function count(amount: number): ParsedQuantity {
  return { nano: BigInt(amount) * 10n ** 9n, format: "DecimalSI" };
}

/** Parses a ResourceList. Invalid quantities are left out, because validation reports them. */
export function readResourceList(value: JsonValue | undefined): ResourceList {
  if (!isJsonObject(value)) return {};
  const entries = Object.entries(value).flatMap(([name, amount]): [string, ParsedQuantity][] => {
    try {
      return [[name, parseQuantity(String(amount))]];
    } catch (error) {
      if (error instanceof QuantityError) return [];
      throw error;
    }
  });
  return Object.fromEntries(entries);
}

export function writeResourceList(list: ResourceList): Record<string, string> {
  return Object.fromEntries(Object.entries(list).map(([name, amount]) => [name, formatQuantity(amount)]));
}

export function addResources(a: ResourceList, b: ResourceList): ResourceList {
  return combine(a, b, (x, y) => x + y);
}

/** Returns `a` without `b`. Quantities may become negative. */
export function subtractResources(a: ResourceList, b: ResourceList): ResourceList {
  return combine(a, b, (x, y) => x - y);
}

/** Returns the larger one of each quantity. */
export function maxResources(a: ResourceList, b: ResourceList): ResourceList {
  // biome-ignore lint/complexity/useMathMinMax: Math.max takes no bigints
  return combine(a, b, (x, y) => (x > y ? x : y));
}

/** Returns only the named resources. */
export function maskResources(list: ResourceList, names: readonly string[]): ResourceList {
  return Object.fromEntries(Object.entries(list).filter(([name]) => names.includes(name)));
}

/**
 * Returns the resources of which `a` has more than `b` allows. Resources that `b` does not name are
 * unlimited.
 */
export function exceededResources(a: ResourceList, b: ResourceList): string[] {
  return Object.keys(a).filter((name) => {
    const limit = b[name];
    return limit !== undefined && compareQuantities(a[name] as ParsedQuantity, limit) > 0;
  });
}

export function equalResources(a: ResourceList, b: ResourceList): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name]?.nano === b[name]?.nano);
}

/** Merges two lists. As in Go, the result has the format of the first quantity that is not zero. */
function combine(a: ResourceList, b: ResourceList, merge: (x: bigint, y: bigint) => bigint): ResourceList {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const x = a[name] ?? none;
      const y = b[name] ?? none;
      const { format } = a[name] !== undefined && x.nano !== 0n ? x : b[name] === undefined ? x : y;
      return [name, { nano: merge(x.nano, y.nano), format }];
    }),
  );
}
