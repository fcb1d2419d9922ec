import { fail, global, type Library, member } from "../functions.ts";
import { bool, listOf, optionalOf, parameter } from "../types.ts";
import {
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
} from "../values.ts";

const V = parameter("V");
const optionalV = optionalOf(V);

/** Functions of optional values. `or` and `orValue` are lazy, so logic.ts evaluates them. */
export const optionals: Library = {
  "optional.of": [global([V], optionalV, (value: CelValue) => new CelOptional(value))],
  "optional.ofNonZeroValue": [
    global([V], optionalV, (value: CelValue) => new CelOptional(isZero(value) ? undefined : value)),
  ],
  "optional.none": [global([], optionalV, () => new CelOptional(undefined))],
  value: [
    member([optionalV], V, ({ value }: CelOptional) =>
      value === undefined ? fail("optional.none() dereference") : value,
    ),
  ],
  hasValue: [member([optionalV], bool, ({ value }: CelOptional) => value !== undefined)],
  or: [
    member([optionalV, optionalV], optionalV, (left: CelOptional, right: CelOptional) =>
      left.value === undefined ? right : left,
    ),
  ],
  orValue: [member([optionalV, V], V, (left: CelOptional, right: CelValue) => left.value ?? right)],
  "optional.unwrap": [global([listOf(optionalV)], listOf(V), unwrap)],
  unwrapOpt: [member([listOf(optionalV)], listOf(V), unwrap)],
};

function unwrap(list: CelList): CelList {
  return CelList.of(
    [...list].flatMap((element) => {
      if (!(element instanceof CelOptional)) return fail(`value ${String(element)} is not optional`);
      return element.value === undefined ? [] : [element.value];
    }),
  );
}

/** Returns whether a value is the zero value of its type: an empty text, list or map, false, 0 or null. */
function isZero(value: CelValue): boolean {
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelList || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelMap) return value.size === 0;
  if (value instanceof CelDuration) return value.nanoseconds === 0n;
  if (value instanceof CelTimestamp) return false;
  if (value instanceof CelOptional) return value.value === undefined;
  return value === null || value === false || value === "" || value === 0 || value === 0n;
}
