import type { Expression, Select } from "./ast.ts";
import { qualifiedName } from "./ast.ts";
import { Failure, type Scope, type Step, spend } from "./frame.ts";
import { fail } from "./functions.ts";
import { CelList, CelMap, CelOptional, CelTypeValue, CelUint, type CelValue, typeNameOf } from "./values.ts";

/** Compiles `a.b` and `has(a.b)`. */
export function compileSelect(select: Select, scope: Scope): Step {
  const { field, test } = select;
  const name = qualifiedName(select as Expression);
  if (name !== undefined && (scope.names.types.has(name) || scope.names.isVariable(name))) {
    return compileIdentifier(name, { ...scope, locals: [] });
  }
  const operand = scope.compile(select.operand, scope);
  if (test) {
    return (frame) => {
      const whole = operand(frame);
      if (whole instanceof CelMap) return whole.get(field) !== undefined;
      if (!(whole instanceof CelOptional)) return false;
      return whole.value instanceof CelMap && whole.value.get(field) !== undefined;
    };
  }
  return (frame) => {
    const whole = operand(frame);
    spend(frame, 1);
    if (whole instanceof CelOptional) return selectOptional(whole, field);
    const value = whole instanceof CelMap ? whole.get(field) : undefined;
    return value === undefined ? fail(`no such key: ${field}`) : value;
  };
}

/** Returns the value of `a.?b`, and of selections behind it. A missing value has no members. */
export function selectOptional(whole: CelValue, key: CelValue): CelOptional {
  const inner = whole instanceof CelOptional ? whole.value : whole;
  if (inner === undefined) return new CelOptional(undefined);
  if (inner instanceof CelList) {
    const at = indexOf(key);
    return new CelOptional(at !== undefined && at >= 0 && at < inner.length ? inner.at(at) : undefined);
  }
  return new CelOptional(inner instanceof CelMap ? inner.get(key) : undefined);
}

/** Returns a value as an index. Whole numbers of all types are indexes. */
function indexOf(key: CelValue): number | undefined {
  if (typeof key === "bigint") return Number(key);
  if (key instanceof CelUint) return Number(key.value);
  return typeof key === "number" && Number.isInteger(key) ? key : undefined;
}

/** Returns `a[b]`. @throws CelEvaluationError */
export function indexInto(whole: CelValue, key: CelValue): CelValue {
  if (whole instanceof CelOptional) return selectOptional(whole, key);
  if (whole instanceof CelMap) {
    const value = whole.get(key);
    return value === undefined ? fail(`no such key: ${show(key)}`) : value;
  }
  if (!(whole instanceof CelList)) return fail("no such overload");
  const at = indexOf(key);
  if (at === undefined) {
    if (typeof key === "number") fail(`unsupported index value ${key} in list`);
    return fail(`unsupported index type '${typeNameOf(key)}' in list`);
  }
  return at >= 0 && at < whole.length ? whole.at(at) : fail(`index out of bounds: ${at}`);
}

/** Formats a key for errors. */
export function show(key: CelValue): string {
  return key instanceof CelUint ? String(key.value) : String(key);
}

/** Compiles a name: a variable of a macro or of the caller, or a type. */
export function compileIdentifier(name: string, { names, locals }: Scope): Step {
  const plain = name.replace(/^\./, "");
  const place = name.startsWith(".") ? -1 : locals.lastIndexOf(name);
  if (place >= 0) {
    return (frame) => {
      spend(frame, 1);
      const value = frame.locals[place];
      if (value instanceof Failure) throw value.error;
      return value as CelValue;
    };
  }
  if (names.types.has(plain) && !names.isVariable(plain)) {
    const type = new CelTypeValue(plain);
    return () => type;
  }
  return (frame) => {
    spend(frame, 1);
    return frame.variable(plain);
  };
}
