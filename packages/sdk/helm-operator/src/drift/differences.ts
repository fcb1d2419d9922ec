import { isJsonObject, own } from "../json.ts";
import { itemsByKey } from "./list-items.ts";
import { member } from "./member.ts";
import { isSameValue } from "./same-value.ts";
import { anySchema, type Schema } from "./schema.ts";

/** A field of a live object that is not as it should be. */
export interface Difference {
  /** `spec.template.spec.containers[name="web"].image` */
  readonly path: string;
  /** Undefined: the field should not be there. */
  readonly wanted: unknown;
  /** Undefined: the field is not there. */
  readonly live: unknown;
}

export interface CompareOptions {
  readonly schema: Schema;
  /**
   * Of a built-in kind: the server does not write down an empty text, list or map, so that one that is wanted and one
   * that is not there are the same.
   */
  readonly isBuiltIn: boolean;
}

/**
 * Where a live object differs from what is wanted. What is wanted says what it says: other fields, and other items of lists
 * that are merged item by item, are not looked at, unless the previous configuration had them: those should have gone.
 * A field that is wanted as null says nothing.
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
        const at = member(path, name);
        compareField(own(wanted, name), own(live, name), own(old, name), schema, inner, at);
      }
      for (const name of goneKeys(old, wanted, live)) {
        found.push({ path: member(path, name), wanted: undefined, live: own(live, name) });
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
    // A value of a map that is empty is a value: a label, a key of a ConfigMap.
    if (isUnset && isBuiltIn && parent.type === "struct" && isUnstated(wanted, schema)) return;
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
      // Items are compared one by one: what the server has set in them is not a difference.
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

/** What the previous configuration has said of a live object, and that of now does not say any more. */
export function goneKeys(before: object, wanted: object, live: object): string[] {
  return Object.entries(before)
    .filter(([name, value]) => value !== null && value !== undefined && !Object.hasOwn(wanted, name))
    .map(([name]) => name)
    .filter((name) => Object.hasOwn(live, name));
}

/** Empty, where Go has no difference between empty and not there. `emptyDir: {}`, a struct, is there. */
function isUnstated(value: unknown, { type }: Schema): boolean {
  if (value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && type === "map" && Object.keys(value).length === 0;
}

/** Of these the server chooses one where they are empty, and says so. */
function isLeftToServer(path: string, value: unknown): boolean {
  return (value === "" || value === 0) && /\.(clusterIP|nodePort|healthCheckNodePort|volumeName)$/.test(path);
}
