import type { Call, Comprehension, Expression, ListLiteral, MapLiteral, Select } from "../ast.ts";
import type { Checked } from "../checker.ts";
import { codePoints } from "../functions.ts";
import { accumulator } from "../macros.ts";
import { type CelType, dyn, partsOf } from "../types.ts";
import { type CallCost, callCost, eitherCost, type Operand } from "./calls.ts";
import { add, exactly, multiply, type Range, sum, union, unknown } from "./range.ts";

/** A path from a variable: field names, `@items`, `@values` and `@keys`. */
export type Path = readonly string[];

const one = exactly(1);
const nothing = exactly(0);

/** The sizes of the keys and values of a list or map. */
interface EntrySizes {
  readonly kind: "list" | "map";
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly path: Path;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

/**
 * Returns the lowest and the highest cost of an expression, for any values of its variables (checker/cost.go
 * of cel-go).
 *
 * @param sizeAt returns the size of the value at a path, or undefined if it is unknown
 */
export function estimateCost(
  expression: Expression,
  { types, overloads }: Checked,
  sizeAt: (path: Path) => Range | undefined,
): Range {
  const paths = new Map<Expression, Path>();
  const sizes = new Map<Expression, Range>();
  const entries = new Map<Expression, EntrySizes>();
  const locals = new Map<string, Local[]>();

  const typeOf = (part: Expression): CelType => types.get(part) ?? dyn;
  const local = (part: Expression) =>
    part.kind === "identifier" ? locals.get(part.name)?.at(-1) : undefined;
  const pathOf = (part: Expression): Path => local(part)?.path ?? paths.get(part) ?? [];
  const entriesOf = (part: Expression) => entries.get(part) ?? local(part)?.entries;

  function sizeOf(part: Expression): Range | undefined {
    const known = sizes.get(part) ?? literalSize(part);
    if (known !== undefined) return known;
    const path = pathOf(part);
    const found = path.length === 0 ? undefined : sizeAt(path);
    if (found !== undefined) {
      sizes.set(part, found);
      return found;
    }
    return isScalar(typeOf(part)) ? one : local(part)?.size;
  }

  function within<Result>(name: string, variable: Local, act: () => Result): Result {
    const stack = locals.get(name) ?? [];
    locals.set(name, [...stack, variable]);
    const result = act();
    locals.set(name, stack);
    return result;
  }

  function cost(part: Expression): Range {
    switch (part.kind) {
      case "literal":
        return nothing;
      case "identifier":
        paths.set(part, local(part)?.path ?? [part.name]);
        return one;
      case "select":
        return costOfSelect(part);
      case "call":
        return costOfCall(part);
      case "list":
        return costOfList(part);
      case "map":
        return costOfMap(part);
      case "message":
        return exactly(40);
      case "comprehension":
        return isBinding(part) ? costOfBinding(part) : costOfFold(part);
    }
  }

  function costOfSelect(select: Select): Range {
    const operand = cost(select.operand);
    if (select.test) return operand;
    paths.set(select as Expression, [...pathOf(select.operand), select.field]);
    const { kind } = typeOf(select.operand);
    return kind === "map" || kind === "object" ? add(operand, one) : operand;
  }

  function operandOf(part: Expression): Operand {
    const path = pathOf(part)[0] === accumulator ? [] : pathOf(part);
    const type = typeOf(part);
    const atPath = path.length === 0 ? undefined : sizeAt(path);
    const [element] = partsOf(type);
    const elementSize = path.length === 0 || element === undefined ? undefined : sizeAt([...path, "@items"]);
    const literal =
      part.kind === "literal" && typeof part.value === "bigint" ? Number(part.value) : undefined;
    return { type, size: sizeOf(part) ?? atPath ?? unknown, element: elementSize ?? unknown, literal };
  }

  function costOfCall(call: Call): Range {
    const whole = call as Expression;
    const parts = call.target === undefined ? call.args : [call.target, ...call.args];
    const resolved = overloads.get(whole);
    const costs = (resolved?.parts ?? parts).map(cost);
    if (resolved === undefined) return call.name === "_?._" ? add(one, sum(costs)) : nothing;
    const special = costOfOperator(call, resolved.parts, costs);
    if (special !== undefined) return special;
    const operands = resolved.parts.map(operandOf);
    let found: CallCost | undefined;
    for (const overload of resolved.overloads) {
      found = eitherCost(found, callCost(resolved.name, overload, operands));
    }
    if (resolved.name === "_+_") joinEntries(whole, resolved.parts);
    const size = found?.size ?? sizeOf(whole);
    if (size !== undefined) sizes.set(whole, size);
    return add(sum(costs), found?.cost ?? one);
  }

  /** Returns the cost of operators that do not evaluate all operands, or that lead to an inner value. */
  function costOfOperator(
    call: Call,
    parts: readonly Expression[],
    costs: readonly Range[],
  ): Range | undefined {
    const whole = call as Expression;
    const [a = nothing, b = nothing, c = nothing] = costs;
    const [first, second, third] = parts as [Expression, Expression, Expression];
    switch (call.name) {
      case "dyn":
        copySizes(whole, first);
        return add(one, a);
      case "_&&_":
      case "_||_":
        return { min: a.min, max: add(a, b).max };
      case "_?_:_": {
        joinEntries(whole, [second, third]);
        sizes.set(whole, union(sizeOf(second) ?? unknown, sizeOf(third) ?? unknown));
        return add(a, union(b, c));
      }
      case "_[_]": {
        const { kind } = typeOf(first);
        paths.set(whole, [...pathOf(first), kind === "map" ? "@values" : "@items"]);
        const size = entriesOf(first)?.value ?? sizeOf(whole);
        if (size !== undefined) sizes.set(whole, size);
        return sum([one, ...costs]);
      }
      default:
        return undefined;
    }
  }

  function joinEntries(whole: Expression, [first, second]: readonly Expression[]): void {
    const left = first === undefined ? undefined : entriesOf(first);
    const right = second === undefined ? undefined : entriesOf(second);
    if (left === undefined || right === undefined) return;
    entries.set(whole, { ...left, key: union(left.key, right.key), value: union(left.value, right.value) });
  }

  function copySizes(to: Expression, from: Expression): void {
    const size = sizeOf(from);
    const inner = entriesOf(from);
    if (size !== undefined) sizes.set(to, size);
    if (inner !== undefined) entries.set(to, inner);
  }

  function costOfList(list: ListLiteral): Range {
    const costs = list.elements.map(({ value }) => cost(value));
    const value = largest(list.elements.map(({ value }) => sizeOf(value) ?? unknown));
    entries.set(list as Expression, { kind: "list", key: one, value });
    return add(sum(costs), exactly(10));
  }

  function costOfMap(map: MapLiteral): Range {
    const costs = map.entries.flatMap(({ key, value }) => [cost(key), cost(value)]);
    const key = largest(map.entries.map(({ key }) => sizeOf(key) ?? unknown));
    const value = largest(map.entries.map(({ value }) => sizeOf(value) ?? unknown));
    entries.set(map as Expression, { kind: "map", key, value });
    return add(sum(costs), exactly(30));
  }

  function costOfBinding(fold: Comprehension): Range {
    const before = add(cost(fold.range), cost(fold.initial));
    const result = within(fold.accumulator, localOf(fold.initial), () => cost(fold.result));
    copySizes(fold as Expression, fold.result);
    return add(before, result);
  }

  function localOf(part: Expression): Local {
    return { path: pathOf(part), size: sizeOf(part), entries: entriesOf(part) };
  }

  function costOfFold(fold: Comprehension): Range {
    const before = add(cost(fold.range), cost(fold.initial));
    const count = () => sizeOf(fold.range) ?? unknown;
    const [first, second] = variablesOf(fold);
    let step: Range = nothing;
    const result = within(fold.accumulator, localOf(fold.initial), () => {
      step = within(fold.variable, first, () =>
        within(fold.secondVariable ?? "", second, () => add(cost(fold.condition), cost(fold.step))),
      );
      return cost(fold.result);
    });
    const whole = fold as Expression;
    if (fold.initial.kind === "list" || fold.initial.kind === "map") {
      sizes.set(whole, count());
      const made = entriesOf(fold.step);
      if (made !== undefined) entries.set(whole, made);
    } else if (fold.initial.kind === "literal") {
      sizes.set(whole, sizeOf(fold.initial) ?? unknown);
    }
    return sum([before, result, multiply(count(), step)]);
  }

  /** Returns the variables: index and element of a list, key and value of a map. */
  function variablesOf({ range, secondVariable }: Comprehension): [Local, Local] {
    const inner = entriesOf(range);
    const isList = (inner?.kind ?? typeOf(range).kind) === "list";
    const path = pathOf(range);
    const variable = (step: string, size: Range | undefined): Local => ({
      path: [...path, step],
      size,
      entries: undefined,
    });
    const value = variable(isList ? "@items" : "@values", inner?.value);
    const key = variable(isList ? "@indices" : "@keys", inner?.key);
    return secondVariable === undefined ? [isList ? value : key, value] : [key, value];
  }

  return cost(expression);
}

function largest(ranges: readonly Range[]): Range {
  return ranges.reduce(union, { min: ranges.length === 0 ? 0 : Number.POSITIVE_INFINITY, max: 0 });
}

/** Returns whether a fold only binds a name to a value, without a loop. */
function isBinding({ range, condition, accumulator: name }: Comprehension): boolean {
  const never = condition.kind === "literal" && condition.value === false;
  return never && range.kind === "list" && range.elements.length === 0 && name !== accumulator;
}

function literalSize(part: Expression): Range | undefined {
  if (part.kind === "list") return exactly(part.elements.length);
  if (part.kind === "map") return exactly(part.entries.length);
  if (part.kind !== "literal") return undefined;
  const { value } = part;
  if (typeof value === "string") return exactly(codePoints(value));
  return value instanceof Uint8Array ? exactly(value.length) : one;
}

function isScalar(type: CelType): boolean {
  if (type.kind === "opaque") return type.name === "optional_type" && type.parameters.some(isScalar);
  return ["bool", "double", "duration", "int", "timestamp", "uint"].includes(type.kind);
}
