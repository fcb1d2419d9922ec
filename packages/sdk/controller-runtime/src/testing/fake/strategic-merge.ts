import { isObject } from "../../client/merge-patch.ts";
import { listRuleOf } from "../../client/strategic-merge/list-rules.ts";

type JsonObject = Record<string, unknown>;

const orderPrefix = "$setElementOrder/";
const deletePrefix = "$deleteFromPrimitiveList/";

/**
 * Applies a strategic merge patch to a copy of an object of a built-in kind and returns it.
 * apimachinery: strategicpatch.StrategicMergePatch.
 *
 * @throws Error when a list has no known merge rule, or naming the invalid part of the patch
 */
export function applyStrategicMergePatch(document: unknown, patch: unknown, kind: string): unknown {
  if (!isObject(patch)) throw new Error("a strategic merge patch is an object");
  return mergeObjects(isObject(document) ? document : {}, patch, kind, "");
}

function mergeObjects(before: JsonObject, patch: JsonObject, kind: string, path: string): JsonObject {
  const { $patch: directive, $retainKeys: retained, ...changes } = patch;
  if (directive === "delete") return {};
  const names = Object.keys(changes).filter((name) => !name.startsWith("$"));
  const result: JsonObject =
    directive === "replace"
      ? {}
      : Object.fromEntries(
          Object.entries(before).filter(([name]) => !Array.isArray(retained) || retained.includes(name)),
        );
  const touched = Object.keys(changes).flatMap((name) => /^\$[^/]+\/(.*)$/.exec(name)?.[1] ?? []);
  for (const name of new Set([...names, ...touched])) {
    const at = path === "" ? name : `${path}.${name}`;
    const after = mergeMember(result[name], name, changes, kind, at);
    if (after === undefined) delete result[name];
    else
      Object.defineProperty(result, name, {
        value: after,
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
  return result;
}

function mergeMember(
  before: unknown,
  name: string,
  changes: JsonObject,
  kind: string,
  path: string,
): unknown {
  const [given, deleted, order] = [changes[name], changes[deletePrefix + name], changes[orderPrefix + name]];
  if (given === null) return undefined;
  if (Array.isArray(given) || deleted !== undefined || order !== undefined) {
    const list = Array.isArray(before) ? before : [];
    const items = Array.isArray(given) ? given : [];
    return mergeLists(list, { items, deleted: listOf(deleted), order: listOf(order) }, kind, path);
  }
  if (!isObject(given)) return given;
  if (given.$patch === "delete") return undefined;
  return mergeObjects(isObject(before) ? before : {}, given, kind, path);
}

interface ListPatch {
  items: unknown[];
  deleted: unknown[];
  order: unknown[];
}

function mergeLists(
  before: unknown[],
  { items, deleted, order }: ListPatch,
  kind: string,
  path: string,
): unknown[] {
  const rule = listRuleOf(kind, path, [...before, ...items].some(isObject));
  if (rule === undefined) {
    throw new Error(
      `there is no known rule for how the server merges the list ${path} of a ${kind}: intercept the patch, or test against a cluster`,
    );
  }
  if (rule === "atomic") return items;
  if (rule === "set") {
    const remaining = [...new Set([...before, ...items])].filter((item) => !deleted.includes(item));
    return inOrder(remaining, order, before, (item) => item);
  }
  const { key } = rule;
  const keyOf = (item: unknown) => (isObject(item) ? item[key] : undefined);
  const directives = items.filter(isObject);
  if (directives.some((item) => item.$patch === "replace")) {
    return directives.filter((item) => item.$patch !== "replace");
  }
  const merged = new Map(before.map((item) => [keyOf(item), item]));
  for (const item of directives) {
    const id = item[key];
    if (id === undefined) throw new Error(`an item of ${path} does not contain declared merge key: ${key}`);
    const old = merged.get(id);
    if (item.$patch === "delete") merged.delete(id);
    else merged.set(id, mergeObjects(isObject(old) ? old : {}, item, kind, `${path}.*`));
  }
  return inOrder([...merged.values()], order.map(keyOf), before.map(keyOf), keyOf);
}

/** Orders items as the patch says. Items that it does not name stay before the item that they preceded. */
function inOrder(
  list: unknown[],
  order: readonly unknown[],
  former: readonly unknown[],
  keyOf: (item: unknown) => unknown,
): unknown[] {
  if (order.length === 0) return list;
  const isNamed = (item: unknown) => order.includes(keyOf(item));
  const named = list.filter(isNamed).sort((a, b) => order.indexOf(keyOf(a)) - order.indexOf(keyOf(b)));
  const others = list.filter((item) => !isNamed(item));
  const result: unknown[] = [];
  while (named.length > 0 && others.length > 0) {
    const [one, other] = [named[0], others[0]].map((item) => former.indexOf(keyOf(item)));
    const takeOther = (one ?? -1) >= 0 && (other ?? -1) >= 0 && (other ?? 0) < (one ?? 0);
    result.push(takeOther ? others.shift() : named.shift());
  }
  return [...result, ...named, ...others];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
