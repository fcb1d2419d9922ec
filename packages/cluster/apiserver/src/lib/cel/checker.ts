import type { Call, Comprehension, Expression, ListLiteral, MapLiteral, Select } from "./ast.ts";
import { qualifiedName } from "./ast.ts";
import type { Issue } from "./errors.ts";
import type { Overload } from "./functions.ts";
import {
  bool,
  bytes,
  type CelType,
  double,
  dyn,
  errorType,
  formatType,
  int,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  parameter,
  string,
  uint,
} from "./types.ts";
import { type Bindings, mostGeneral, rename, sameType, substitute, unify } from "./unify.ts";
import { CelUint, type CelValue } from "./values.ts";

interface Declarations {
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  /** Returns the type of a variable, or of a type used as a value, by its qualified name. */
  identifier(name: string): CelType | undefined;
}

export interface Checked {
  /** The type of every part of the expression. */
  readonly types: ReadonlyMap<Expression, CelType>;
  /** The possible overloads of every valid call. */
  readonly overloads: ReadonlyMap<Expression, ResolvedCall>;
  readonly issues: readonly Issue[];
}

interface ResolvedCall {
  readonly name: string;
  /** The operands, with the target first. */
  readonly parts: readonly Expression[];
  readonly overloads: readonly Overload[];
}

/** Finds the type of each part of an expression, and type errors (checker/checker.go of cel-go). */
export function check(expression: Expression, declarations: Declarations): Checked {
  const types = new Map<Expression, CelType>();
  const resolved = new Map<Expression, ResolvedCall>();
  const issues: Issue[] = [];
  let bindings: Bindings = new Map();
  let free = 0;
  let scope: Scope | undefined;

  const report = (part: { position: number }, message: string) => {
    issues.push({ position: part.position, message });
  };
  const fresh = () => parameter(`_var${free++}`);
  const typeOf = (part: Expression) => types.get(part) ?? errorType;
  const known = (part: Expression) => substitute(bindings, typeOf(part), "keep");

  function assign(from: CelType, to: CelType): boolean {
    const unified = unify(bindings, [[from, to]]);
    bindings = unified ?? bindings;
    return unified !== undefined;
  }

  function lookup(name: string): CelType | undefined {
    for (let inner = scope; inner !== undefined; inner = inner.outer) {
      const type = inner.variables.get(name);
      if (type !== undefined) return type;
    }
    return declarations.identifier(name.replace(/^\./, ""));
  }

  function undeclared(part: { position: number }, name: string): CelType {
    report(part, `undeclared reference to '${name}' (in container '')`);
    return errorType;
  }

  function visit(part: Expression): CelType {
    const type = typeOfPart(part);
    types.set(part, type);
    return type;
  }

  function typeOfPart(part: Expression): CelType {
    switch (part.kind) {
      case "literal":
        return typeOfLiteral(part.value);
      case "identifier":
        return lookup(part.name) ?? undeclared(part, part.name);
      case "select":
        return checkSelect(part);
      case "call":
        return part.name === "_?._" ? checkOptionalSelect(part) : checkCall(part);
      case "list":
        return checkList(part);
      case "map":
        return checkMap(part);
      case "message":
        return undeclared(part, part.name);
      case "comprehension":
        return checkComprehension(part);
    }
  }

  function checkSelect(select: Select): CelType {
    const name = qualifiedName(select as Expression);
    const named = name === undefined ? undefined : lookup(name);
    if (named !== undefined) return named;
    const type = fieldType(select, select.operand, select.field, false);
    return select.test ? bool : substitute(bindings, type, "keep");
  }

  function checkOptionalSelect(call: Call): CelType {
    const [operand, name] = call.args as [Expression, Expression];
    visit(name);
    const field = name.kind === "literal" && typeof name.value === "string" ? name.value : "";
    return substitute(bindings, fieldType(call, operand, field, true), "keep");
  }

  function fieldType(
    place: { position: number },
    operand: Expression,
    field: string,
    optional: boolean,
  ): CelType {
    visit(operand);
    const whole = known(operand);
    const isOptional = whole.kind === "opaque" && whole.name === "optional_type";
    const target = isOptional ? (whole.parameters[0] ?? dyn) : whole;
    const type = memberType(place, target, field);
    return isOptional || optional ? optionalOf(type) : type;
  }

  function memberType(place: { position: number }, target: CelType, field: string): CelType {
    switch (target.kind) {
      case "map":
        return target.value;
      case "object": {
        const type = target.field(field);
        if (type === undefined) report(place, `undefined field '${field}'`);
        return type ?? errorType;
      }
      case "parameter":
        assign(dyn, target);
        return dyn;
      case "dyn":
      case "error":
        return dyn;
      default:
        report(place, `type '${formatType(target)}' does not support field selection`);
        return dyn;
    }
  }

  function checkCall(call: Call): CelType {
    for (const argument of call.args) visit(argument);
    const { name, target, args } = call;
    if (target === undefined) {
      const overloads = declarations.functions.get(name.replace(/^\./, ""));
      return overloads === undefined ? undeclared(call, name) : resolve(call, name, overloads, args, false);
    }
    const prefix = qualifiedName(target);
    const qualified = prefix === undefined ? undefined : declarations.functions.get(`${prefix}.${name}`);
    if (qualified !== undefined) return resolve(call, `${prefix}.${name}`, qualified, args, false);
    visit(target);
    const overloads = declarations.functions.get(name);
    if (overloads === undefined) return undeclared(call, name);
    return resolve(call, name, overloads, [target, ...args], true);
  }

  function resolve(
    call: Call,
    name: string,
    overloads: readonly Overload[],
    parts: readonly Expression[],
    isMember: boolean,
  ): CelType {
    if (name === "_&&_" || name === "_||_") {
      resolved.set(call as Expression, { name, parts, overloads });
      return checkLogic(parts);
    }
    const fitting: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of overloads) {
      if (overload.member !== isMember || overload.args.length !== parts.length) continue;
      const names = new Map<string, CelType>();
      const args = overload.args.map((argument) => rename(argument, names, fresh));
      const declared = rename(overload.result, names, fresh);
      const unified = unify(
        bindings,
        parts.map((part, index) => [typeOf(part), args[index] as CelType]),
      );
      if (unified === undefined) continue;
      bindings = unified;
      fitting.push(overload);
      const type = substitute(bindings, declared, "keep");
      if (result === undefined) result = type;
      else if (result.kind !== "dyn" && !sameType(type, result)) result = dyn;
    }
    if (result !== undefined) {
      resolved.set(call as Expression, { name, parts, overloads: fitting });
      return result;
    }
    const given = parts.map((part) => formatType(substitute(bindings, typeOf(part), "dyn")));
    const signature = isMember ? `${given[0]}.(${given.slice(1).join(", ")})` : `(${given.join(", ")})`;
    report(call, `found no matching overload for '${name}' applied to '${signature}'`);
    return errorType;
  }

  function checkLogic(parts: readonly Expression[]): CelType {
    let result: CelType = bool;
    for (const part of parts) {
      if (assign(typeOf(part), bool)) continue;
      mismatch(part, bool, typeOf(part));
      result = errorType;
    }
    return result;
  }

  function mismatch(part: Expression, expected: CelType, actual: CelType): void {
    report(part, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  function join(previous: CelType | undefined, type: CelType): CelType {
    if (previous === undefined) return type;
    return assign(previous, type) ? mostGeneral(previous, type) : dyn;
  }

  /** Returns the type of an element. For an optional element (`[?a]`), the type inside its optional. */
  function elementType(value: Expression, optional: boolean): CelType {
    const type = visit(value);
    if (!optional) return type;
    if (type.kind === "opaque" && type.name === "optional_type") return type.parameters[0] ?? dyn;
    if (type.kind !== "dyn" && type.kind !== "error") mismatch(value, optionalOf(type), type);
    return type;
  }

  function checkList({ elements }: ListLiteral): CelType {
    let joined: CelType | undefined;
    for (const { value, optional } of elements) joined = join(joined, elementType(value, optional));
    return listOf(joined ?? fresh());
  }

  function checkMap({ entries }: MapLiteral): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of entries) {
      key = join(key, visit(entry.key));
      value = join(value, elementType(entry.value, entry.optional));
    }
    return mapOf(key ?? fresh(), value ?? fresh());
  }

  function checkComprehension(fold: Comprehension): CelType {
    visit(fold.range);
    const accumulated = visit(fold.initial);
    const [first, second] = variableTypes(fold.range, fold.secondVariable !== undefined);
    const outer = scope;
    scope = { outer, variables: new Map([[fold.accumulator, accumulated]]) };
    const variables = new Map([[fold.variable, first]]);
    if (fold.secondVariable !== undefined) variables.set(fold.secondVariable, second);
    const accumulatorScope = scope;
    scope = { outer: accumulatorScope, variables };
    for (const [part, expected] of [
      [fold.condition, bool],
      [fold.step, accumulated],
    ] as const) {
      const type = visit(part);
      if (!assign(expected, type)) mismatch(part, expected, type);
    }
    scope = accumulatorScope;
    const result = visit(fold.result);
    scope = outer;
    return substitute(bindings, result, "keep");
  }

  /** Returns the types of the variables: index and element of a list, key and value of a map. */
  function variableTypes(range: Expression, two: boolean): [CelType, CelType] {
    const type = known(range);
    switch (type.kind) {
      case "list":
        return two ? [int, type.element] : [type.element, dyn];
      case "map":
        return [type.key, type.value];
      case "dyn":
      case "error":
      case "parameter":
        assign(dyn, type);
        return [dyn, dyn];
      default: {
        const rule = "cannot be range of a comprehension (must be list, map, or dynamic)";
        report(range, `expression of type '${formatType(type)}' ${rule}`);
        return [errorType, errorType];
      }
    }
  }

  visit(expression);
  for (const [part, type] of types) types.set(part, substitute(bindings, type, "dyn"));
  return { types, overloads: resolved, issues };
}

interface Scope {
  readonly outer: Scope | undefined;
  readonly variables: ReadonlyMap<string, CelType>;
}

function typeOfLiteral(value: CelValue): CelType {
  switch (typeof value) {
    case "boolean":
      return bool;
    case "bigint":
      return int;
    case "number":
      return double;
    case "string":
      return string;
    default:
      return value === null ? nullType : value instanceof CelUint ? uint : bytes;
  }
}
