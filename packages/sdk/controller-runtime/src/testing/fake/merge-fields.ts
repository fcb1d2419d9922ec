import { isObject } from "../../client/merge-patch.ts";
import { type Field, itemStepOf, type Step, textOf } from "./field-set.ts";

type JsonObject = Record<string, unknown>;

/** Merges a configuration into an object, member by member, and item by item in merged lists. */
export function mergeFields(live: unknown, config: unknown, kind: string, path = ""): unknown {
  if (isObject(live) && isObject(config)) {
    const merged: JsonObject = { ...live };
    for (const [name, value] of Object.entries(config)) {
      if (value === undefined) continue;
      const at = path === "" ? name : `${path}.${name}`;
      define(merged, name, mergeFields(merged[name], value, kind, at));
    }
    return merged;
  }
  const stepOf = Array.isArray(config) ? itemStepOf(kind, path, config) : undefined;
  if (!Array.isArray(config) || !stepOf) return config;
  const nameOf = (item: unknown) => textOf([stepOf(item)]);
  const byName = (list: readonly unknown[]) => new Map(list.map((item) => [nameOf(item), item]));
  const [before, wanted] = [byName(Array.isArray(live) ? live : []), byName(config)];
  return mergedOrder([...before.keys()], [...wanted.keys()]).map((name) =>
    wanted.has(name) ? mergeFields(before.get(name), wanted.get(name), kind, `${path}.*`) : before.get(name),
  );
}

/**
 * Returns the order of a merged list. Wanted items keep their order, and other items stay where they were, as
 * far as both are possible. structured-merge-diff interleaves them.
 */
function mergedOrder(before: readonly string[], wanted: readonly string[]): string[] {
  const result = new Set<string>();
  const shared = wanted.filter((name) => before.includes(name));
  let [left, right] = [0, 0];
  while (left < before.length || right < wanted.length) {
    const [old, next] = [before[left], wanted[right]];
    // The first shared item that has not been placed.
    const due = shared.find((name) => !result.has(name));
    if (old !== undefined && old === next) {
      result.add(old);
      left++;
      right++;
    } else if (
      old !== undefined &&
      next !== undefined &&
      due !== undefined &&
      due !== old &&
      wanted.includes(old)
    ) {
      // It is placed at its own turn.
      left++;
    } else if (old !== undefined && !wanted.includes(old)) {
      result.add(old);
      left++;
    } else {
      if (old !== undefined && result.has(old)) left++;
      if (next !== undefined) result.add(next);
      right++;
    }
  }
  return [...result];
}

/** Returns the object without a field, and without parents that become empty. */
export function removeField(object: unknown, { steps }: Field, kind: string): unknown {
  return without(object, steps, kind, "");
}

function without(value: unknown, steps: readonly Step[], kind: string, path: string): unknown {
  const [step, ...rest] = steps;
  if (!step) return undefined;
  if ("member" in step) {
    if (!isObject(value) || !Object.hasOwn(value, step.member)) return value;
    const at = path === "" ? step.member : `${path}.${step.member}`;
    const inner = without(value[step.member], rest, kind, at);
    const result: JsonObject = { ...value };
    if (inner === undefined) delete result[step.member];
    else define(result, step.member, inner);
    return Object.keys(result).length === 0 ? undefined : result;
  }
  if (!Array.isArray(value)) return value;
  const stepOf = itemStepOf(kind, path, value);
  const wanted = textOf([step]);
  const list = value.flatMap((item) => {
    if (!stepOf || textOf([stepOf(item)]) !== wanted) return [item];
    const inner = without(item, rest, kind, `${path}.*`);
    return inner === undefined ? [] : [inner];
  });
  return list.length === 0 ? undefined : list;
}

/** Also sets a field named __proto__. */
function define(object: JsonObject, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
