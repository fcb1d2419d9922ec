import type { KubeObject } from "@operator-path/client";
import { isObject } from "../../client/merge-patch.ts";
import { listRuleOf } from "../../client/strategic-merge/list-rules.ts";

/** A step of a path: a member, a list item by its key, or an item of a set. */
export type Step = { member: string } | { item: string } | { value: string };

/** A field of an object that a manager can own. structured-merge-diff: fieldpath.Path. */
export interface Field {
  readonly steps: readonly Step[];
  /** undefined for a list item itself, whose fields are listed separately. */
  readonly value: unknown;
}

/** Fields by the text of their path. */
export type Fields = ReadonlyMap<string, Field>;

/** Identifies an item of a list. */
type ItemStep = (item: unknown) => Step;

/** Fields that an API server sets, or that identify the object. */
const identity = new Set(["apiVersion", "kind"]);
const systemMetadata = new Set([
  ...["name", "namespace", "generateName", "uid", "resourceVersion", "generation", "creationTimestamp"],
  ...["deletionTimestamp", "deletionGracePeriodSeconds", "managedFields", "selfLink"],
]);

/** Returns all ownable fields of an object, of the status, or of everything else. */
export function fieldsOf(object: KubeObject, part: "status" | "main" | "all"): Fields {
  const fields = new Map<string, Field>();
  const kind = object.kind ?? "";
  for (const [name, value] of Object.entries(object)) {
    if (identity.has(name) || value === undefined) continue;
    if (part !== "all" && (name === "status") !== (part === "status")) continue;
    const own =
      name === "metadata" && isObject(value)
        ? Object.fromEntries(Object.entries(value).filter(([each]) => !systemMetadata.has(each)))
        : value;
    if (name === "metadata" && isObject(own) && Object.keys(own).length === 0) continue;
    collect(own, [{ member: name }], kind, name, fields);
  }
  return fields;
}

function collect(
  value: unknown,
  steps: readonly Step[],
  kind: string,
  path: string,
  fields: Map<string, Field>,
): void {
  const add = (leaf: unknown) => fields.set(textOf(steps), { steps, value: leaf });
  if (isObject(value) && Object.keys(value).length > 0) {
    collectMembers(value, steps, [], kind, path, fields);
    return;
  }
  const stepOf = Array.isArray(value) ? itemStepOf(kind, path, value) : undefined;
  if (!Array.isArray(value) || !stepOf) return void add(value);
  for (const item of value) {
    const own = [...steps, stepOf(item)];
    fields.set(textOf(own), { steps: own, value: isObject(item) ? undefined : item });
    // The key fields of an item belong to the item itself.
    if (isObject(item)) collectMembers(item, own, keysOf(stepOf(item)), kind, `${path}.*`, fields);
  }
}

function collectMembers(
  item: Record<string, unknown>,
  steps: readonly Step[],
  keys: readonly string[],
  kind: string,
  path: string,
  fields: Map<string, Field>,
): void {
  for (const [name, each] of Object.entries(item)) {
    if (each === undefined || keys.includes(name)) continue;
    collect(each, [...steps, { member: name }], kind, `${path}.${name}`, fields);
  }
}

function keysOf(step: Step): string[] {
  return "item" in step ? Object.keys(JSON.parse(step.item)) : [];
}

/**
 * Returns how to identify the items of a merged list, or undefined for an atomic one. Needs the items,
 * because ports have two key fields.
 */
export function itemStepOf(kind: string, path: string, list: readonly unknown[]): ItemStep | undefined {
  const rule = listRuleOf(kind, path, list.some(isObject));
  if (rule === undefined || rule === "atomic") return undefined;
  if (rule === "set") return (item) => ({ value: JSON.stringify(item) });
  const { key } = rule;
  return (item) => {
    const members = isObject(item) ? item : {};
    const isPort = key === "port" || key === "containerPort";
    const id = { [key]: members[key], ...(isPort ? { protocol: members.protocol ?? "TCP" } : {}) };
    return { item: JSON.stringify(id) };
  };
}

/** Returns `.spec.template.spec.containers[name="web"].image`, as a conflict names it. */
export function textOf(steps: readonly Step[]): string {
  return steps
    .map((step) => {
      if ("member" in step) return `.${step.member}`;
      if ("value" in step) return `[=${step.value}]`;
      const id = Object.entries(JSON.parse(step.item) as Record<string, unknown>);
      return `[${id.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(",")}]`;
    })
    .join("");
}

/** Sorts fields as a server lists them: the fields of an object before those of nested objects. */
export function compareFields({ steps: a }: Field, { steps: b }: Field): number {
  const at = a.findIndex((step, index) => textOf([step]) !== (b[index] ? textOf([b[index]]) : undefined));
  const [one, other] = [a[at], b[at]];
  if (!one || !other) return a.length - b.length;
  const isLast = [a, b].map(({ length }) => length - 1 === at);
  if (isLast[0] !== isLast[1]) return isLast[0] ? -1 : 1;
  return textOf([one]) < textOf([other]) ? -1 : 1;
}
