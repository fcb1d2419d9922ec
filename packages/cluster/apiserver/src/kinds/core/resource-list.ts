import {
  compareQuantities,
  formatQuantity,
  type ParsedQuantity,
  parseQuantity,
  QuantityError,
} from "@operator-path/client";
import { isJsonObject, type JsonValue } from "../../lib/json/json.ts";

/** core/v1 ResourceList: amounts by the name of what they are of. */
export type ResourceList = Readonly<Record<string, ParsedQuantity>>;

const none: ParsedQuantity = { nano: 0n, format: "DecimalSI" };

/** So many of something. */
export function count(amount: number): ParsedQuantity {
  return { nano: BigInt(amount) * 10n ** 9n, format: "DecimalSI" };
}

/** What is no quantity is left out: validation has its say elsewhere. */
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

/** `a` without `b`; may become negative. */
export function subtractResources(a: ResourceList, b: ResourceList): ResourceList {
  return combine(a, b, (x, y) => x - y);
}

/** The larger of each. */
export function maxResources(a: ResourceList, b: ResourceList): ResourceList {
  // biome-ignore lint/complexity/useMathMinMax: Math.max takes no bigints
  return combine(a, b, (x, y) => (x > y ? x : y));
}

/** Only the names that are asked for. */
export function maskResources(list: ResourceList, names: readonly string[]): ResourceList {
  return Object.fromEntries(Object.entries(list).filter(([name]) => names.includes(name)));
}

/** Names of which there is more in `a` than `b` allows. What `b` does not name is not limited. */
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

/** The sum has the format of the first amount that is not zero, as in Go. */
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
