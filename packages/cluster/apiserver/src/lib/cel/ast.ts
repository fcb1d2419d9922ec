import type { CelValue } from "./values.ts";

/**
 * A parsed expression with macros expanded. `position` is the place that errors report: of an operator or
 * call, its sign, as in cel-go (common/ast).
 */
export type Expression = { readonly position: number; readonly depth?: number } & (
  | { readonly kind: "literal"; readonly value: CelValue }
  | { readonly kind: "identifier"; readonly name: string }
  | Select
  | Call
  | ListLiteral
  | MapLiteral
  | MessageLiteral
  | Comprehension
);

export interface Select {
  readonly kind: "select";
  readonly position: number;
  readonly operand: Expression;
  readonly field: string;
  /** True for `has(a.b)`, which tests whether the field exists. */
  readonly test: boolean;
}

export interface Call {
  readonly kind: "call";
  readonly position: number;
  /** Operators have cel-go's names: `_+_`, `!_`, `_?_:_`, `_[_]`. */
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

export interface ListLiteral {
  readonly kind: "list";
  readonly position: number;
  readonly elements: readonly { readonly value: Expression; readonly optional: boolean }[];
}

export interface MapLiteral {
  readonly kind: "map";
  readonly position: number;
  readonly entries: readonly {
    readonly key: Expression;
    readonly value: Expression;
    readonly optional: boolean;
  }[];
}

interface MessageLiteral {
  readonly kind: "message";
  readonly position: number;
  readonly name: string;
}

/** A fold over a list or map. All macros expand to this: `range.all(x, …)`. */
export interface Comprehension {
  readonly kind: "comprehension";
  readonly position: number;
  readonly range: Expression;
  readonly variable: string;
  /** For macros with two variables: the element. `variable` is then its index. */
  readonly secondVariable: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** Returns the direct parts of an expression. */
export function childrenOf(part: Expression): readonly Expression[] {
  switch (part.kind) {
    case "select":
      return [part.operand];
    case "call":
      return part.target === undefined ? part.args : [part.target, ...part.args];
    case "list":
      return part.elements.map(({ value }) => value);
    case "map":
      return part.entries.flatMap(({ key, value }) => [key, value]);
    case "comprehension":
      return [part.range, part.initial, part.condition, part.step, part.result];
    default:
      return [];
  }
}

/** Returns a chain of names as `a.b.c`, or undefined if the expression contains anything else. */
export function qualifiedName(part: Expression): string | undefined {
  if (part.kind === "identifier") return part.name.replace(/^\./, "");
  if (part.kind !== "select" || part.test) return undefined;
  const prefix = qualifiedName(part.operand);
  return prefix === undefined ? undefined : `${prefix}.${part.field}`;
}
