import type { JsonValue } from "../json/json.ts";

export type Scalar = "numeric" | "string" | "boolean" | "untyped";

/**
 * The allowed shapes of a value, and how each is merged (schema.Atom of structured-merge-diff). There are
 * several if the schema allows several.
 */
export interface FieldType {
  readonly scalar?: Scalar;
  readonly list?: ListType;
  readonly map?: MapType;
}

export interface ListType {
  /**
   * Whether items are identified by their keys or, without keys, by their value. Otherwise the list is
   * atomic.
   */
  readonly associative: boolean;
  /** In the schema's order. Empty for a set of scalars. */
  readonly keys: readonly string[];
  readonly element: FieldType;
  /** The keys sorted by name, each with its default, if it has one. */
  readonly sortedKeys: readonly { readonly name: string; readonly default: JsonValue | undefined }[];
}

export interface MapType {
  /** Whether the map is one value. */
  readonly atomic: boolean;
  field(name: string): FieldType | undefined;
  /** Type of the members that are not fields. Undefined: no such members. */
  readonly element: FieldType | undefined;
  /** Whether it has neither fields nor types: the shapes of its members follow from their values. */
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
/** Any value, merged as a whole: `__untyped_atomic_`. */
export const untypedAtomic: FieldType = { scalar: "untyped", list: untypedList, map: untypedAtomicMap };

/** Any value: maps are merged member by member, lists as a whole: `__untyped_deduced_`. */
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
