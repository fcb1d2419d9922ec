import type { JsonValue } from "../json/json.ts";

export type Scalar = "numeric" | "string" | "boolean" | "untyped";

/**
 * What may stand in a place, and how it is merged (schema.Atom of structured-merge-diff). More than one of the three
 * where the schema leaves it open.
 */
export interface FieldType {
  readonly scalar?: Scalar;
  readonly list?: ListType;
  readonly map?: MapType;
}

export interface ListType {
  /** Items are known by their keys, or (without keys) by their value. Else the list is one value (atomic). */
  readonly associative: boolean;
  /** In the schema's order. Empty: a set of scalars. */
  readonly keys: readonly string[];
  readonly element: FieldType;
  /** The keys in the order of their names, each with its default, if it has one. */
  readonly sortedKeys: readonly { readonly name: string; readonly default: JsonValue | undefined }[];
}

export interface MapType {
  /** The map is one value. */
  readonly atomic: boolean;
  field(name: string): FieldType | undefined;
  /** Type of the members that are no fields; undefined: there are none. */
  readonly element: FieldType | undefined;
  /** Neither fields nor types: what is in it says itself what it is. */
  readonly untyped: boolean;
}

const untypedAtomicMap: MapType = {
  atomic: true,
  field: () => undefined,
  get element() {
    return untypedAtomic;
  },
  untyped: false,
};
const untypedList: ListType = {
  associative: false,
  keys: [],
  sortedKeys: [],
  get element() {
    return untypedAtomic;
  },
};
/** Anything, as one value: `__untyped_atomic_`. */
export const untypedAtomic: FieldType = { scalar: "untyped", list: untypedList, map: untypedAtomicMap };

/** Anything: maps are merged member by member, lists are one value: `__untyped_deduced_`. */
export const deducedType: FieldType = {
  scalar: "untyped",
  list: untypedList,
  map: {
    atomic: false,
    field: () => undefined,
    get element() {
      return deducedType;
    },
    untyped: true,
  },
};
