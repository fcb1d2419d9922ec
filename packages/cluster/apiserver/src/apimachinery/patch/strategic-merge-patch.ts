import {
  getMember,
  goPrint,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from "../../lib/json/json.ts";
import type { Schema } from "../schema/schema.ts";
import { structName } from "../serializer/go-type.ts";
import { identity, orderElements } from "./element-order.ts";

/** The patch cannot be applied to the document. The message is a real server's. */
export class StrategicMergePatchError extends Error {
  override readonly name = "StrategicMergePatchError";
}

const directive = "$patch";
const retainKeys = "$retainKeys";
const setElementOrder = "$setElementOrder/";
const deleteFromPrimitiveList = "$deleteFromPrimitiveList/";

/**
 * Applies a strategic merge patch. It differs from a merge patch in two points. Lists are merged by key if
 * their schema says so (x-kubernetes-patch-strategy, -merge-key). Directives (`$patch`, `$retainKeys`,
 * `$setElementOrder/…`, `$deleteFromPrimitiveList/…`) express what a merge cannot. The arguments are not
 * changed.
 *
 * @see
 *   https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md
 * @throws StrategicMergePatchError
 */
export function strategicMergePatch(document: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  return mergeObject(structuredClone(document), structuredClone(patch), schema);
}

function mergeObject(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  if (Object.hasOwn(patch, directive)) return applyDirective(patch);
  const result = retainOnly(original, patch);
  for (const key of Object.keys(patch)) {
    if (key.startsWith(setElementOrder)) mergeOrdered(result, patch, key, schema);
  }
  for (const key of Object.keys(patch)) {
    if (key === retainKeys || key.startsWith(setElementOrder)) continue;
    if (Object.hasOwn(patch, `${setElementOrder}${key}`)) continue;
    mergeMember(result, key, patch[key] ?? null, schema);
  }
  return result;
}

/** Applies `$patch` of an object: replace returns the patch, delete an empty object. */
function applyDirective(patch: JsonObject): JsonObject {
  const { [directive]: what, ...rest } = patch;
  if (what === "replace") return rest;
  if (what === "delete") return {};
  throw new StrategicMergePatchError(`unknown patch type: ${goPrint(what)} in map: ${goPrint(patch)}`);
}

/** Keeps only the members in `$retainKeys`. The patch may not set others. */
function retainOnly(original: JsonObject, patch: JsonObject): JsonObject {
  if (!Object.hasOwn(patch, retainKeys)) return original;
  const kept = patch[retainKeys];
  const foreign = Object.keys(patch).some(
    (key) =>
      patch[key] !== null &&
      key !== retainKeys &&
      !key.startsWith(setElementOrder) &&
      !key.startsWith(deleteFromPrimitiveList) &&
      !(Array.isArray(kept) && kept.includes(key)),
  );
  if (!Array.isArray(kept) || foreign) {
    throw new StrategicMergePatchError("invalid patch format of retainKeys");
  }
  return Object.fromEntries(Object.entries(original).filter(([key]) => kept.includes(key)));
}

function mergeMember(result: JsonObject, key: string, value: JsonValue, schema: Schema | undefined): void {
  if (key.startsWith(deleteFromPrimitiveList)) {
    const name = key.slice(deleteFromPrimitiveList.length);
    const current = getMember(result, name);
    if (value === null) delete result[name];
    else if (Array.isArray(current) && Array.isArray(value)) {
      setMember(
        result,
        name,
        current.filter((element) => !value.includes(element)),
      );
    }
    return;
  }
  if (value === null) {
    delete result[key];
    return;
  }
  const current = getMember(result, key);
  const member = memberSchema(schema, key);
  const strategy = strategyOf(member);
  if (isJsonObject(current) && isJsonObject(value)) {
    setMember(result, key, strategy === "replace" ? value : mergeObject(current, value, member));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    setMember(result, key, strategy === "merge" ? mergeList(current, value, member, value) : value);
  } else {
    // There is nothing to merge with: takes the patch without nulls and deleted members.
    const plain = withoutDirectives(value);
    if (plain === undefined) delete result[key];
    else setMember(result, key, plain);
  }
}

/** Merges a list with `$setElementOrder/<name>`, with or without changes to its elements. */
function mergeOrdered(
  result: JsonObject,
  patch: JsonObject,
  directiveKey: string,
  schema: Schema | undefined,
): void {
  const name = directiveKey.slice(setElementOrder.length);
  const order = list(patch[directiveKey]);
  const member = memberSchema(schema, name);
  if (member === undefined) {
    const struct = schema?.ref === undefined ? "" : structName(schema.ref);
    throw new StrategicMergePatchError(
      `unable to find api field in struct ${struct} for the json field ${JSON.stringify(name)}`,
    );
  }
  const live = getMember(result, name);
  const changes = getMember(patch, name);
  const mergeKey = mergeKeyOf(member);
  if (changes !== undefined && changes !== null) checkOrder(list(changes), order, mergeKey);
  if (live === undefined && (changes === undefined || changes === null)) return;
  if (changes === null) {
    delete result[name];
    return;
  }
  const merged =
    live === undefined
      ? list(withoutDirectives(changes ?? []))
      : changes === undefined
        ? list(live)
        : mergeListOrReplace(list(live), list(changes), member);
  setMember(result, name, orderElements(merged, order, live === undefined ? [] : list(live), mergeKey));
}

function mergeListOrReplace(live: JsonValue[], changes: JsonValue[], schema: Schema): JsonValue[] {
  return strategyOf(schema) === "merge" ? mergeList(live, changes, schema, changes) : changes;
}

/** Checks that the patch's elements have the order of `$setElementOrder`. */
function checkOrder(changes: JsonValue[], order: JsonValue[], mergeKey: string | undefined): void {
  const kept = changes.filter((element) => !(isJsonObject(element) && Object.hasOwn(element, directive)));
  if (order.length === 0 || kept.length === 0) return;
  let next = 0;
  for (const wanted of order) {
    const element = kept[next];
    if (element !== undefined && identity(element, mergeKey) === identity(wanted, mergeKey)) next++;
  }
  if (next < kept.length) {
    throw new StrategicMergePatchError(
      `The order in patch list:\n${goPrint(changes)}\n doesn't match $setElementOrder list:\n${goPrint(order)}\n`,
    );
  }
}

function mergeList(
  live: JsonValue[],
  changes: JsonValue[],
  schema: Schema | undefined,
  order: JsonValue[],
): JsonValue[] {
  const all = [...live, ...changes];
  const first = all[0];
  if (first === undefined) return [];
  if (all.some((element) => elementType(element) !== elementType(first))) {
    throw new StrategicMergePatchError(
      `list element types are not identical: [${goPrint(live)} ${goPrint(changes)}]`,
    );
  }
  if (!isJsonObject(first)) return orderElements([...new Set(all)], order, live, undefined);
  const mergeKey = mergeKeyOf(schema);
  if (mergeKey === undefined) {
    throw new StrategicMergePatchError("cannot merge lists without merge key");
  }
  const objects = changes.filter(isJsonObject);
  const kept = applyElementDirectives(live.filter(isJsonObject), objects, mergeKey);
  const changed = objects.filter((element) => !Object.hasOwn(element, directive));
  const merged = [...kept];
  for (const change of changed) {
    const key = requireKey(change, mergeKey);
    const at = merged.findIndex((element) => element[mergeKey] === key);
    const current = merged[at];
    if (current === undefined) merged.push(change);
    else merged[at] = mergeObject(current, change, schema?.items);
  }
  const plain = merged.map((element) => withoutDirectives(element) ?? {});
  return orderElements(plain, changed, kept, mergeKey);
}

/**
 * Applies `$patch` of elements: delete removes the live element with that key, replace removes all live
 * elements.
 */
function applyElementDirectives(live: JsonObject[], changes: JsonObject[], mergeKey: string): JsonObject[] {
  let kept = live;
  let replaced = false;
  for (const change of changes) {
    switch (change[directive]) {
      case undefined:
        break;
      case "delete": {
        const key = requireKey(change, mergeKey);
        kept = kept.filter((element) => element[mergeKey] !== key);
        break;
      }
      case "replace":
        replaced = true;
        break;
      case "merge":
        throw new StrategicMergePatchError("merging lists cannot yet be specified in the patch");
      default:
        throw new StrategicMergePatchError(
          `unknown patch type: ${goPrint(change[directive])} in map: ${goPrint(change)}`,
        );
    }
  }
  return replaced ? [] : kept;
}

function requireKey(element: JsonObject, mergeKey: string): JsonValue {
  const key = getMember(element, mergeKey);
  if (key !== undefined) return key;
  throw new StrategicMergePatchError(
    `map: ${goPrint(element)} does not contain declared merge key: ${mergeKey}`,
  );
}

/** Returns the value without directives and nulls, or undefined if it is marked as deleted. */
function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((element) => element !== undefined);
  }
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, directive)) return undefined;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const member = value[key] ?? null;
    const plain = member === null ? undefined : withoutDirectives(member);
    if (plain !== undefined) setMember(result, key, plain);
  }
  return result;
}

function memberSchema(schema: Schema | undefined, key: string): Schema | undefined {
  const properties = schema?.properties;
  if (properties !== undefined) return Object.hasOwn(properties, key) ? properties[key] : undefined;
  return typeof schema?.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

function strategyOf(schema: Schema | undefined): string | undefined {
  return schema?.["x-kubernetes-patch-strategy"]?.split(",").find((name) => name !== "retainKeys");
}

function mergeKeyOf(schema: Schema | undefined): string | undefined {
  return schema?.["x-kubernetes-patch-merge-key"];
}

function elementType(element: JsonValue): string {
  if (Array.isArray(element)) throw new StrategicMergePatchError("lists of lists are not supported");
  return element === null ? "null" : typeof element;
}

function list(value: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(value)) return value;
  const kinds: Record<string, string> = { object: "map", number: "number", boolean: "bool" };
  throw new StrategicMergePatchError(
    `expected a slice, but received a ${value === null ? "nil" : (kinds[typeof value] ?? typeof value)}`,
  );
}
