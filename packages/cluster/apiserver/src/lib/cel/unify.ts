import { type CelType, dyn, partsOf, withParts } from "./types.ts";

/**
 * The known types of type parameters. A parameter gets its type from the first value that is used in its
 * place (checker/types.go of cel-go).
 */
export type Bindings = ReadonlyMap<string, CelType>;

/**
 * Checks whether a value of one type is allowed where the other type is required.
 * @returns the types of parameters afterwards, or undefined if it is not allowed
 */
export function unify(
  bindings: Bindings,
  pairs: readonly (readonly [CelType, CelType])[],
): Bindings | undefined {
  const tried = new Map(bindings);
  return pairs.every(([from, to]) => assignable(tried, from, to)) ? tried : undefined;
}

function assignable(bindings: Map<string, CelType>, from: CelType, to: CelType): boolean {
  if (to.kind === "parameter") {
    const { valid, bound } = substitutes(bindings, from, to.name, to);
    if (valid) return true;
    if (bound) return false;
  }
  if (from.kind === "parameter") return substitutes(bindings, to, from.name, from).valid;
  if (isWildcard(from) || isWildcard(to)) return true;
  if (from.kind === "null") return isNullable(to);
  if (to.kind === "null") return isNullable(from);
  if (from.kind !== to.kind) return false;
  if (from.kind === "type") return true;
  if (from.kind === "object" || from.kind === "opaque") {
    if (from.name !== (to as typeof from).name) return false;
  }
  const fromParts = partsOf(from);
  const toParts = partsOf(to);
  return (
    fromParts.length === toParts.length &&
    fromParts.every((part, index) => assignable(bindings, part, toParts[index] as CelType))
  );
}

/** Returns whether a parameter can have the type. If so, it has that type from now on. */
function substitutes(
  bindings: Map<string, CelType>,
  type: CelType,
  name: string,
  parameter: CelType,
): { valid: boolean; bound: boolean } {
  if (type.kind === "parameter" && type.name === name) return { valid: true, bound: true };
  const known = bindings.get(name);
  if (known !== undefined) {
    if (sameType(type, known)) return { valid: true, bound: true };
    if (!assignable(bindings, type, known)) return { valid: false, bound: true };
    const general = mostGeneral(type, known);
    if (!occursIn(bindings, parameter, general)) bindings.set(name, general);
    return { valid: true, bound: true };
  }
  if (occursIn(bindings, parameter, type)) return { valid: false, bound: false };
  bindings.set(name, type);
  return { valid: true, bound: false };
}

function occursIn(bindings: Bindings, type: CelType, within: CelType): boolean {
  if (sameType(type, within)) return true;
  if (within.kind === "parameter") {
    const known = bindings.get(within.name);
    return known !== undefined && occursIn(bindings, type, known);
  }
  return partsOf(within).some((part) => occursIn(bindings, type, part));
}

function isWildcard({ kind }: CelType): boolean {
  return kind === "dyn" || kind === "error";
}

function isNullable({ kind }: CelType): boolean {
  return ["opaque", "object", "duration", "timestamp", "null"].includes(kind);
}

/** Returns whether two types are equal. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if ("name" in a && a.name !== (b as typeof a).name) return false;
  const left = partsOf(a);
  const right = partsOf(b);
  return left.length === right.length && left.every((part, index) => sameType(part, right[index] as CelType));
}

/** Returns the less specific one of two compatible types. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === "dyn" || a.kind === "parameter") return true;
  if (b.kind === "dyn" || b.kind === "parameter" || a.kind !== b.kind) return false;
  if (a.kind === "type") return true;
  if ("name" in a && a.name !== (b as typeof a).name) return false;
  const left = partsOf(a);
  const right = partsOf(b);
  return (
    left.length === right.length && left.every((part, index) => isLessSpecific(part, right[index] as CelType))
  );
}

/**
 * Replaces parameters by their types.
 * @param rest what happens to unknown parameters: they become `dyn`, or stay
 */
export function substitute(bindings: Bindings, type: CelType, rest: "keep" | "dyn"): CelType {
  if (type.kind === "parameter") {
    const known = bindings.get(type.name);
    if (known !== undefined) return substitute(bindings, known, rest);
    return rest === "dyn" ? dyn : type;
  }
  const parts = partsOf(type);
  if (parts.length === 0) return type;
  return withParts(
    type,
    parts.map((part) => substitute(bindings, part, rest)),
  );
}

/** Renames the parameters of a declaration, so that two calls do not share them. */
export function rename(type: CelType, names: Map<string, CelType>, fresh: () => CelType): CelType {
  if (type.kind === "parameter") {
    const known = names.get(type.name) ?? fresh();
    names.set(type.name, known);
    return known;
  }
  const parts = partsOf(type);
  if (parts.length === 0) return type;
  return withParts(
    type,
    parts.map((part) => rename(part, names, fresh)),
  );
}
