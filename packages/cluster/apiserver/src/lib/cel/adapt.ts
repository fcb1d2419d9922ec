import {
  CelDuration,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from "./values.ts";

/**
 * Converts a JSON value to a CEL value: whole numbers become ints, other numbers doubles, undefined becomes
 * null. Converts the contents of objects and lists when they are read. Returns CEL values unchanged.
 */
export function adapt(value: unknown): CelValue {
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) ? BigInt(value) : value;
    case "string":
    case "boolean":
    case "bigint":
      return value;
    case "object":
      return value === null ? null : adaptObject(value);
    default:
      return null;
  }
}

function adaptObject(value: object): CelValue {
  if (Array.isArray(value)) return new CelList(value.length, (index) => adapt(value[index]));
  if (isCelValue(value)) return value;
  return new JsonMap(value as Record<string, unknown>);
}

function isCelValue(value: object): value is Exclude<CelValue, string | number | boolean | bigint | null> {
  return [
    Uint8Array,
    CelUint,
    CelList,
    CelMap,
    CelTimestamp,
    CelDuration,
    CelTypeValue,
    CelOptional,
    CelOpaque,
  ].some((type) => value instanceof type);
}

/** A JSON object as a map. Undefined members are missing. */
class JsonMap extends CelMap {
  readonly #members: Readonly<Record<string, unknown>>;

  constructor(members: Readonly<Record<string, unknown>>) {
    super();
    this.#members = members;
  }

  get size(): number {
    return Object.keys(this.#members).length;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== "string" || !Object.hasOwn(this.#members, key)) return undefined;
    const member = this.#members[key];
    return member === undefined ? undefined : adapt(member);
  }

  keys(): Iterable<CelValue> {
    return Object.keys(this.#members);
  }
}
