import { parseQuantity } from "@operator-path/client";
import { isJsonObject, type JsonObject, own } from "../json.ts";
import { anySchema, type ListRule, type Schema } from "./schema.ts";

/** A field of a live object that differs from the wanted one. */
export interface Difference {
  /** `spec.template.spec.containers[name="web"].image` */
  readonly path: string;
  /** Undefined: the field should not exist. */
  readonly wanted: unknown;
  /** Undefined: the field does not exist. */
  readonly live: unknown;
}

/** What is known of the kind of the objects that are compared. */
export interface CompareOptions {
  readonly schema: Schema;
  /**
   * True for a built-in kind. The server does not store empty strings, lists and maps, so an empty wanted
   * value equals a missing live one.
   */
  readonly isBuiltIn: boolean;
}

/**
 * Returns the differences between a live object and the wanted one. Fields that `wanted` lacks or sets to
 * null do not count, nor further items of lists that are merged item by item. But what only `previous` has
 * counts: it should have been removed.
 */
export function differences(
  wanted: unknown,
  live: unknown,
  previous: unknown,
  { schema, isBuiltIn }: CompareOptions,
): Difference[] {
  const found: Difference[] = [];
  compare(wanted, live, previous, schema, "");
  return found;

  function compare(wanted: unknown, live: unknown, before: unknown, schema: Schema, path: string): void {
    if (wanted === undefined || wanted === null) return;
    if (isJsonObject(wanted) && isJsonObject(live)) {
      const old = isJsonObject(before) ? before : {};
      for (const name of Object.keys(wanted)) {
        const inner = fieldOf(schema, name);
        const at = pathTo(path, name);
        compareField(own(wanted, name), own(live, name), own(old, name), schema, inner, at);
      }
      for (const name of removedKeys(old, wanted, live)) {
        found.push({ path: pathTo(path, name), wanted: undefined, live: own(live, name) });
      }
    } else if (Array.isArray(wanted) && Array.isArray(live)) {
      compareLists(wanted, live, Array.isArray(before) ? before : [], schema, path);
    } else if (!isSameValue(wanted, live, schema)) found.push({ path, wanted, live });
  }

  function compareField(
    wanted: unknown,
    live: unknown,
    before: unknown,
    parent: Schema,
    schema: Schema,
    path: string,
  ): void {
    const isUnset = live === undefined || live === null;
    // In a map, an empty value is a value: a label, a key of a ConfigMap.
    if (isUnset && isBuiltIn && parent.type === "struct" && isEmpty(wanted, schema)) return;
    if (isBuiltIn && parent.type === "struct" && isLeftToServer(path, wanted)) return;
    compare(wanted, live, before, schema, path);
  }

  function compareLists(
    wanted: unknown[],
    live: unknown[],
    before: unknown[],
    schema: Schema,
    path: string,
  ): void {
    const rule = schema.type === "list" ? schema.rule : "atomic";
    const items = schema.type === "list" ? schema.items : anySchema;
    if (rule === "set") {
      for (const item of wanted) if (!live.includes(item)) push(item, item, undefined);
      for (const item of before)
        if (!wanted.includes(item) && live.includes(item)) push(item, undefined, item);
      return;
    }
    const [wantedItems, liveItems] =
      rule === "atomic" ? [] : [itemsByKey(wanted, rule), itemsByKey(live, rule)];
    if (rule === "atomic" || !wantedItems || !liveItems) {
      // Compare item by item: fields that the server has set in an item are not a difference.
      const isSame =
        wanted.length === live.length &&
        wanted.every((item, index) => {
          const options = { schema: items, isBuiltIn };
          return differences(item, live[index], undefined, options).length === 0;
        });
      if (!isSame) found.push({ path, wanted, live });
      return;
    }
    const oldItems = itemsByKey(before, rule) ?? new Map<string, unknown>();
    for (const [key, item] of wantedItems) {
      compare(item, liveItems.get(key), oldItems.get(key), items, `${path}[${key}]`);
    }
    for (const key of oldItems.keys()) {
      const left = liveItems.get(key);
      if (left && !wantedItems.has(key))
        found.push({ path: `${path}[${key}]`, wanted: undefined, live: left });
    }

    function push(item: unknown, wanted: unknown, live: unknown): void {
      found.push({ path: `${path}[${JSON.stringify(item)}]`, wanted, live });
    }
  }
}

export function fieldOf(schema: Schema, name: string): Schema {
  if (schema.type === "struct") return schema.fields.get(name) ?? anySchema;
  return schema.type === "map" ? schema.values : anySchema;
}

/**
 * Returns the keys of a live object that the previous configuration had and the current one does not have.
 */
export function removedKeys(before: object, wanted: object, live: object): string[] {
  return Object.entries(before)
    .filter(([name, value]) => value !== null && value !== undefined && !Object.hasOwn(wanted, name))
    .map(([name]) => name)
    .filter((name) => Object.hasOwn(live, name));
}

/** Returns whether a value is empty in a way that Go takes for missing. `emptyDir: {}`, a struct, is not. */
function isEmpty(value: unknown, { type }: Schema): boolean {
  if (value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && type === "map" && Object.keys(value).length === 0;
}

/** The server chooses these values where they are empty. */
function isLeftToServer(path: string, value: unknown): boolean {
  return (value === "" || value === 0) && /\.(clusterIP|nodePort|healthCheckNodePort|volumeName)$/.test(path);
}

/**
 * Returns the items of a list by their keys, as text (`port=80,protocol="TCP"`). Returns undefined when keys
 * are missing or not unique: such a list is compared as a whole.
 */
export function itemsByKey(
  list: readonly unknown[],
  { keys, defaults }: Exclude<ListRule, string>,
): Map<string, JsonObject> | undefined {
  const items = new Map<string, JsonObject>();
  for (const item of list) {
    if (!isJsonObject(item)) return undefined;
    const values = keys.map((key) => [key, own(item, key) ?? defaults.get(key)] as const);
    if (values.every(([, value]) => value === undefined)) return undefined;
    const text = values.map(([key, value]) => `${key}=${JSON.stringify(value) ?? ""}`).join(",");
    if (items.has(text)) return undefined;
    items.set(text, item);
  }
  return items;
}

/** Returns whether two values that are neither objects nor lists mean the same, however they are written. */
function isSameValue(a: unknown, b: unknown, { type }: Schema): boolean {
  if (Object.is(a, b)) return true;
  if (a === null || b === null || a === undefined || b === undefined) return false;
  if (type === "quantity") return isSameBy(amountOf, String(a), String(b));
  if (typeof a !== "string" || typeof b !== "string") return false;
  if (type === "bytes") return isSameBy((text) => Buffer.from(text, "base64").toString("base64"), a, b);
  return type === "time" && isSameBy((text) => instantOf(text), a, b);
}

function amountOf(text: string): bigint {
  return parseQuantity(text).nano;
}

/** To the microsecond, as metav1.MicroTime. */
function instantOf(text: string): string {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  const seconds = Date.parse(text.replace(/\.\d+/, ""));
  if (Number.isNaN(seconds)) throw new RangeError(`${text} is not a time`);
  return `${seconds} ${fraction.padEnd(6, "0").slice(0, 6)}`;
}

/** An unreadable value equals no other. The server reports what is wrong with it. */
function isSameBy(read: (text: string) => unknown, a: string, b: string): boolean {
  try {
    return read(a) === read(b);
  } catch {
    return false;
  }
}

/** Returns the path of a member: `spec.replicas`, `metadata.annotations["example.com/paused"]`. */
export function pathTo(path: string, name: string): string {
  if (/[^\w$-]/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
