import { type KubeObject, UsageError } from "@operator-path/client";
import { isEqualJson, isObject } from "../merge-patch.ts";
import { listRuleOf } from "./list-rules.ts";

type JsonObject = Record<string, unknown>;

/**
 * Returns the strategic merge patch that turns `original` into `wanted`.
 * apimachinery: strategicpatch.CreateTwoWayMergePatch.
 *
 * @throws UsageError when a changed list has no known merge rule, or two of its items have the same key
 */
export function createStrategicMergePatch(original: KubeObject, wanted: KubeObject): JsonObject {
  return diffObjects({ ...original }, { ...wanted }, original.kind ?? wanted.kind ?? "", "");
}

function diffObjects(original: JsonObject, wanted: JsonObject, kind: string, path: string): JsonObject {
  const patch: JsonObject = {};
  for (const name of new Set([...Object.keys(original), ...Object.keys(wanted)])) {
    const before = original[name] ?? undefined;
    const after = wanted[name] ?? undefined;
    if (isEqualJson(before, after)) continue;
    const at = path === "" ? name : `${path}.${name}`;
    if (after === undefined) patch[name] = null;
    else if (isObject(before) && isObject(after)) patch[name] = diffObjects(before, after, kind, at);
    else if (Array.isArray(before) && Array.isArray(after))
      Object.assign(patch, diffLists(name, before, after, kind, at));
    else patch[name] = after;
  }
  return patch;
}

/** Returns the fields that change a list: the list itself, and directives beside it. */
function diffLists(
  name: string,
  before: unknown[],
  after: unknown[],
  kind: string,
  path: string,
): JsonObject {
  const rule = listRuleOf(kind, path, [...before, ...after].some(isObject));
  if (rule === undefined) {
    throw new UsageError(
      `there is no known rule for how the server merges the list ${path} of a ${kind}: use mergeFrom(original, { optimisticLock: true }), or client.apply`,
    );
  }
  if (rule === "atomic") return { [name]: after };
  if (rule === "set") {
    const added = after.filter((item) => !before.includes(item));
    const removed = before.filter((item) => !after.includes(item));
    return {
      ...(added.length > 0 ? { [name]: added } : {}),
      ...(removed.length > 0 ? { [`$deleteFromPrimitiveList/${name}`]: removed } : {}),
      [`$setElementOrder/${name}`]: after,
    };
  }
  const { key } = rule;
  const old = byKey(before, key, path);
  const items: JsonObject[] = [];
  for (const [value, item] of byKey(after, key, path)) {
    const known = old.get(value);
    old.delete(value);
    const changes = known ? diffObjects(known, item, kind, `${path}.*`) : item;
    if (!known || Object.keys(changes).length > 0) items.push({ ...changes, [key]: value });
  }
  const deleted = [...old.keys()].map((value) => ({ $patch: "delete", [key]: value }));
  return {
    ...(items.length + deleted.length > 0 ? { [name]: [...items, ...deleted] } : {}),
    [`$setElementOrder/${name}`]: [...byKey(after, key, path).keys()].map((value) => ({ [key]: value })),
  };
}

function byKey(list: unknown[], key: string, path: string): Map<unknown, JsonObject> {
  const items = new Map<unknown, JsonObject>();
  for (const item of list) {
    const value = isObject(item) ? item[key] : undefined;
    if (!isObject(item) || value === undefined || items.has(value)) {
      throw new UsageError(
        `the items of ${path} need distinct values of ${key} (${JSON.stringify(value)}): use mergeFrom(original, { optimisticLock: true }), or client.apply`,
      );
    }
    items.set(value, item);
  }
  return items;
}
