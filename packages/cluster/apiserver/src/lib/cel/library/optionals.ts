import { fail, global, type Library, member } from "../functions.ts";
import { bool, listOf, optionalOf, parameter } from "../types.ts";
import { CelList, CelOptional, type CelValue } from "../values.ts";
import { isZero } from "./zero.ts";

const V = parameter("V");
const optionalV = optionalOf(V);

/** Values that may not be there. `or` and `orValue` are lazy: logic.ts has them. */
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
