import type { Call, Expression } from "./ast.ts";
import { qualifiedName } from "./ast.ts";
import { compileAppend, isAccumulator } from "./comprehension.ts";
import { CelEvaluationError, CelProgramError } from "./errors.ts";
import { type Scope, type Step, spend } from "./frame.ts";
import { fail, matchesType, type Overload } from "./functions.ts";
import { type CelValue, typeNameOf } from "./values.ts";

/** Compiles a call. It runs the first overload that matches the types of its arguments. */
export function compileCall(call: Call, scope: Scope): Step {
  const { name, overloads, parts } = resolve(call, scope);
  if (name === "_+_" && isAccumulator(parts[0]) && parts[1]?.kind === "list") {
    return compileAppend(parts[0] as Expression, parts[1], scope);
  }
  const steps = parts.map((part) => scope.compile(part, scope));
  if (conversions.has(name) && parts.length === 1 && parts[0]?.kind === "literal") {
    return convertLiteral(name, overloads, parts[0].value);
  }
  return (frame) => {
    const args = steps.map((step) => step(frame));
    for (const overload of overloads) {
      if (!overload.args.every((type, index) => matchesType(args[index] as CelValue, type))) continue;
      spend(frame, overload.cost?.(args) ?? 1);
      return overload.invoke(...args);
    }
    spend(frame, 1);
    return fail(noOverload(name, args));
  };
}

/** Functions that convert a value to another type. */
export const conversions = new Set(
  "bool bytes double duration dyn int string timestamp type uint".split(" "),
);

/** Converts a literal once, at compile time, at no cost. @throws CelProgramError if the conversion fails */
function convertLiteral(name: string, overloads: readonly Overload[], literal: CelValue): Step {
  const overload = overloads.find(({ args }) => args.every((type) => matchesType(literal, type)));
  try {
    const value = overload === undefined ? fail(noOverload(name, [literal])) : overload.invoke(literal);
    return () => value;
  } catch (error) {
    if (!(error instanceof CelEvaluationError)) throw error;
    throw new CelProgramError(error.message);
  }
}

interface Resolved {
  name: string;
  overloads: Overload[];
  parts: readonly Expression[];
}

/**
 * Returns the function of a call. `ip.isCanonical(a)` calls the function of that name, not a member of a
 * variable `ip`.
 */
function resolve({ name, target, args }: Call, { names, locals }: Scope): Resolved {
  const fits = (member: boolean, count: number) => (overload: Overload) =>
    overload.member === member && overload.args.length === count;
  if (target === undefined) {
    const plain = name.replace(/^\./, "");
    const overloads = (names.functions.get(plain) ?? []).filter(fits(false, args.length));
    return { name: plain, overloads, parts: args };
  }
  const prefix = qualifiedName(target);
  const qualified = `${prefix}.${name}`;
  const root = prefix?.split(".")[0] ?? "";
  if (prefix !== undefined && names.functions.has(qualified) && !locals.includes(root)) {
    const overloads = (names.functions.get(qualified) ?? []).filter(fits(false, args.length));
    return { name: qualified, overloads, parts: args };
  }
  const overloads = (names.functions.get(name) ?? []).filter(fits(true, args.length + 1));
  return { name, overloads, parts: [target, ...args] };
}

/** Returns the error message. As in cel-go, only that of conversions names the types of the arguments. */
function noOverload(name: string, args: readonly CelValue[]): string {
  if (name === "size") return "no such overload: size";
  if (/^(?:int|uint|double|string|bytes|bool|duration|timestamp|value|hasValue)$/.test(name)) {
    return `no such overload: ${name}(${args.map(typeNameOf).join(", ")})`;
  }
  return "no such overload";
}
