import { compareQuantities, type ParsedQuantity, parseQuantity, QuantityError } from "@operator-path/client";
import { fail, global, type Library, member, sizeOf, traversal } from "../functions.ts";
import { bool, type CelType, double, int, opaque, string } from "../types.ts";
import { CelOpaque, type CelValue, isInt64 } from "../values.ts";

export const quantityType: CelType = opaque("kubernetes.Quantity");
const nano = 10n ** 9n;

/** A resource.Quantity: `500m`, `1Gi`. */
class CelQuantity extends CelOpaque {
  readonly type = quantityType;
  readonly quantity: ParsedQuantity;

  constructor(quantity: ParsedQuantity) {
    super();
    this.quantity = quantity;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelQuantity && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

const parsed = ([text]: readonly CelValue[]) => traversal(sizeOf(text as CelValue));

/** Functions of quantities (quantity.go of k8s.io/apiserver/pkg/cel/library). */
export const quantities: Library = {
  quantity: [global([string], quantityType, (text: string) => read(text), parsed)],
  isQuantity: [global([string], bool, isQuantity, parsed)],
  sign: [global([quantityType], int, ({ quantity }: CelQuantity) => signOf(quantity.nano))],
  isGreaterThan: [
    member([quantityType, quantityType], bool, (a: CelQuantity, b: CelQuantity) => order(a, b) > 0),
  ],
  isLessThan: [
    member([quantityType, quantityType], bool, (a: CelQuantity, b: CelQuantity) => order(a, b) < 0),
  ],
  compareTo: [
    member([quantityType, quantityType], int, (a: CelQuantity, b: CelQuantity) => BigInt(order(a, b))),
  ],
  asApproximateFloat: [
    member([quantityType], double, ({ quantity }: CelQuantity) => Number(quantity.nano) / Number(nano)),
  ],
  asInteger: [
    member([quantityType], int, ({ quantity }: CelQuantity) =>
      isInteger(quantity) ? quantity.nano / nano : fail("cannot convert value to integer"),
    ),
  ],
  isInteger: [member([quantityType], bool, ({ quantity }: CelQuantity) => isInteger(quantity))],
  add: [
    member([quantityType, quantityType], quantityType, (a: CelQuantity, b: CelQuantity) =>
      sum(a, b.quantity.nano),
    ),
    member([quantityType, int], quantityType, (a: CelQuantity, b: bigint) => sum(a, b * nano)),
  ],
  sub: [
    member([quantityType, quantityType], quantityType, (a: CelQuantity, b: CelQuantity) =>
      sum(a, -b.quantity.nano),
    ),
    member([quantityType, int], quantityType, (a: CelQuantity, b: bigint) => sum(a, -b * nano)),
  ],
};

function read(text: string): CelQuantity {
  try {
    return new CelQuantity(parseQuantity(text));
  } catch (error) {
    if (error instanceof QuantityError) return fail(error.message);
    throw error;
  }
}

function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch {
    return false;
  }
}

function isInteger({ nano: amount }: ParsedQuantity): boolean {
  return amount % nano === 0n && isInt64(amount / nano);
}

function order(a: CelQuantity, b: CelQuantity): number {
  return compareQuantities(a.quantity, b.quantity);
}

function signOf(value: bigint): bigint {
  return value > 0n ? 1n : value < 0n ? -1n : 0n;
}

function sum({ quantity }: CelQuantity, amount: bigint): CelQuantity {
  return new CelQuantity({ ...quantity, nano: quantity.nano + amount });
}
