import type { Expression } from "./ast.ts";
import type { Issue } from "./errors.ts";

/** The accumulator of a macro's fold. Expressions cannot name it. */
export const accumulator = "@result";

/** Expands a macro. Returns undefined if the call is not one. @throws MacroIssue */
export function expandMacro(
  name: string,
  target: Expression | undefined,
  args: readonly Expression[],
  position: number,
): Expression | undefined {
  if (target === undefined)
    return name === "has" && args.length === 1 ? expandHas(args, position) : undefined;
  const byCount = Object.hasOwn(macros, name) ? macros[name] : undefined;
  const expand = byCount?.[args.length];
  return expand?.(target, args, position);
}

/** Reports a wrong argument of a macro. */
export class MacroIssue extends Error implements Issue {
  readonly position: number;

  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}

type Expand = (target: Expression, args: readonly Expression[], position: number) => Expression;

/** By name and number of arguments (parser/macro.go, ext/comprehensions.go and cel/library.go of cel-go). */
const macros: Record<string, Record<number, Expand>> = {
  all: { 2: quantifier(1, all), 3: quantifier(2, all) },
  exists: { 2: quantifier(1, exists), 3: quantifier(2, exists) },
  exists_one: { 2: quantifier(1, existsOne), 3: quantifier(2, existsOne) },
  existsOne: { 3: quantifier(2, existsOne) },
  map: { 2: collect(1, listOfResults), 3: collect(1, listOfResults) },
  filter: { 2: filter },
  transformList: { 3: collect(2, listOfResults), 4: collect(2, listOfResults) },
  transformMap: { 3: collect(2, mapByVariable), 4: collect(2, mapByVariable) },
  transformMapEntry: { 3: collect(2, mapOfEntries), 4: collect(2, mapOfEntries) },
  optMap: { 2: (target, args, position) => optional(target, args, position, "optMap") },
  sortBy: { 2: sortBy },
  optFlatMap: { 2: (target, args, position) => optional(target, args, position, "optFlatMap") },
};

function expandHas([argument]: readonly Expression[], position: number): Expression {
  if (argument?.kind !== "select" || argument.test) {
    throw new MacroIssue(argument?.position ?? position, "invalid argument to has() macro");
  }
  return { kind: "select", position, operand: argument.operand, field: argument.field, test: true };
}

interface Fold {
  initial: Expression;
  condition: Expression;
  step: Expression;
  result: Expression;
}

function builder(position: number) {
  const literal = (value: boolean | bigint): Expression => ({ kind: "literal", position, value });
  return {
    literal,
    so: { kind: "identifier", position, name: accumulator } as Expression,
    list: (...values: Expression[]): Expression => ({
      kind: "list",
      position,
      elements: values.map((value) => ({ value, optional: false })),
    }),
    call: (name: string, ...args: Expression[]): Expression => ({
      kind: "call",
      position,
      name,
      target: undefined,
      args,
    }),
  };
}

type Builder = ReturnType<typeof builder>;

function all({ literal, so, call }: Builder, predicate: Expression): Fold {
  const condition = call("@not_strictly_false", so);
  return { initial: literal(true), condition, step: call("_&&_", so, predicate), result: so };
}

function exists({ literal, so, call }: Builder, predicate: Expression): Fold {
  const condition = call("@not_strictly_false", call("!_", so));
  return { initial: literal(false), condition, step: call("_||_", so, predicate), result: so };
}

function existsOne({ literal, so, call }: Builder, predicate: Expression): Fold {
  return {
    initial: literal(0n),
    condition: literal(true),
    step: call("_?_:_", predicate, call("_+_", so, literal(1n)), so),
    result: call("_==_", so, literal(1n)),
  };
}

function quantifier(variables: 1 | 2, fold: (build: Builder, predicate: Expression) => Fold): Expand {
  return (target, args, position) => {
    const names = variableNames(args.slice(0, variables), "argument must be a simple name");
    const predicate = args[variables] as Expression;
    return comprehension(target, names, position, fold(builder(position), predicate));
  };
}

/** Returns what each element adds to the accumulator, from the transform and the first variable. */
type Add = (build: Builder, transform: Expression, variable: Expression) => Expression;

function listOfResults({ so, call, list }: Builder, transform: Expression): Expression {
  return call("_+_", so, list(transform));
}

function mapByVariable({ so, call }: Builder, transform: Expression, variable: Expression): Expression {
  return call("cel.@mapInsert", so, variable, transform);
}

function mapOfEntries({ so, call }: Builder, transform: Expression): Expression {
  return call("cel.@mapInsert", so, transform);
}

function collect(variables: 1 | 2, add: Add): Expand {
  return (target, args, position) => {
    const words = variables === 1 ? "argument is not an identifier" : "argument must be a simple name";
    const names = variableNames(args.slice(0, variables), words);
    const build = builder(position);
    const transform = args.at(-1) as Expression;
    const predicate = args.length > variables + 1 ? args[variables] : undefined;
    const added = add(build, transform, { kind: "identifier", position, name: names[0] as string });
    const step = predicate === undefined ? added : build.call("_?_:_", predicate, added, build.so);
    const initial: Expression = add === listOfResults ? build.list() : { kind: "map", position, entries: [] };
    return comprehension(target, names, position, {
      initial,
      condition: build.literal(true),
      step,
      result: build.so,
    });
  };
}

function filter(target: Expression, args: readonly Expression[], position: number): Expression {
  const names = variableNames(args.slice(0, 1), "argument is not an identifier");
  const build = builder(position);
  const added = build.call("_+_", build.so, build.list(args[0] as Expression));
  return comprehension(target, names, position, {
    initial: build.list(),
    condition: build.literal(true),
    step: build.call("_?_:_", args[1] as Expression, added, build.so),
    result: build.so,
  });
}

/**
 * cel-go writes the target twice, so each element of a chain doubles the time. This implementation binds the
 * target to a name first, which costs less.
 */
function optional(
  target: Expression,
  [variable, transform]: readonly Expression[],
  position: number,
  macro: "optMap" | "optFlatMap",
): Expression {
  if (variable?.kind !== "identifier") {
    const message = `${macro}() variable name must be a simple identifier`;
    throw new MacroIssue(variable?.position ?? position, message);
  }
  const build = builder(position);
  const input = { kind: "identifier", position, name: "@optional" } as const;
  const member = (name: string): Expression => ({ kind: "call", position, name, target: input, args: [] });
  const bound = bind(variable.name, member("value"), transform as Expression, position);
  const value = macro === "optMap" ? build.call("optional.of", bound) : bound;
  const result = build.call("_?_:_", member("hasValue"), value, build.call("optional.none"));
  return bind(input.name, target, result, position);
}

/** Sorts by the keys that the second argument computes from the elements. */
function sortBy(target: Expression, args: readonly Expression[], position: number): Expression {
  const [variable] = args;
  if (variable?.kind !== "identifier") {
    throw new MacroIssue(
      variable?.position ?? position,
      "sortBy can only be applied with a simple identifier",
    );
  }
  const input = { kind: "identifier", position, name: "@__sortBy_input__" } as const;
  const keys = collect(1, listOfResults)(input, args, position);
  const name = "@sortByAssociatedKeys";
  return bind(input.name, target, { kind: "call", position, name, target: input, args: [keys] }, position);
}

/** Returns `result` with a name bound to a value: a fold over an empty list. */
function bind(name: string, value: Expression, result: Expression, position: number): Expression {
  const build = builder(position);
  return {
    kind: "comprehension",
    position,
    range: build.list(),
    variable: "#unused",
    secondVariable: undefined,
    accumulator: name,
    initial: value,
    condition: build.literal(false),
    step: { kind: "identifier", position, name },
    result,
  };
}

function comprehension(
  range: Expression,
  [variable = "", secondVariable]: string[],
  position: number,
  fold: Fold,
): Expression {
  return { kind: "comprehension", position, range, variable, secondVariable, accumulator, ...fold };
}

function variableNames(args: readonly Expression[], words: string): string[] {
  const names = args.map((argument) => {
    if (argument.kind !== "identifier") throw new MacroIssue(argument.position, words);
    return argument.name;
  });
  const [first, second] = args;
  if (second !== undefined && names[0] === names[1]) {
    throw new MacroIssue(second.position, `duplicate variable name: ${names[0]}`);
  }
  names.forEach((name, index) => {
    if (name !== "__result__") return;
    const { position = 0 } = (index === 0 ? first : second) ?? {};
    throw new MacroIssue(position, "iteration variable overwrites accumulator variable");
  });
  return names;
}
