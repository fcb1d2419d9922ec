import type { ListLiteral, MapLiteral } from "./ast.ts";
import { type Scope, type Step, spend } from "./frame.ts";
import { fail } from "./functions.ts";
import { show } from "./select.ts";
import { CelList, CelOptional, type CelValue, EntryMap, keyOf, typeNameOf } from "./values.ts";

/** The cost of a list without its elements. */
export const listCost = 10;
const mapCost = 30;

/** Compiles a list: `[a, ?b]`. */
export function compileList({ elements }: ListLiteral, scope: Scope): Step {
  const steps = elements.map(({ value, optional }) => ({ step: scope.compile(value, scope), optional }));
  return (frame) => {
    const values: CelValue[] = [];
    for (const { step, optional } of steps) {
      const value = step(frame);
      if (!optional) values.push(value);
      else if (!(value instanceof CelOptional))
        fail(`cannot initialize optional list element from non-optional value ${show(value)}`);
      else if (value.value !== undefined) values.push(value.value);
    }
    spend(frame, listCost);
    return CelList.of(values);
  };
}

/** Compiles a map: `{a: b, ?c: d}`. */
export function compileMap({ entries }: MapLiteral, scope: Scope): Step {
  const steps = entries.map(({ key, value, optional }) => ({
    key: scope.compile(key, scope),
    value: scope.compile(value, scope),
    optional,
  }));
  return (frame) => {
    const made: [CelValue, CelValue][] = [];
    const seen = new Set<string>();
    for (const step of steps) {
      const key = step.key(frame);
      const id = keyOf(key);
      if (id === undefined) fail(`unsupported key type: ${typeNameOf(key)}`);
      if (seen.has(id ?? "")) fail(`Failed with repeated key`);
      const value = step.value(frame);
      if (step.optional) {
        if (!(value instanceof CelOptional))
          fail(`cannot initialize optional entry '${show(key)}' from non-optional value ${show(value)}`);
        const { value: inner } = value as CelOptional;
        if (inner === undefined) continue;
        made.push([key, inner]);
      } else {
        made.push([key, value]);
      }
      seen.add(id ?? "");
    }
    spend(frame, mapCost);
    return new EntryMap(made);
  };
}
