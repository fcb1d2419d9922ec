import type { ResourceSchema } from "./schema.ts";

/**
 * Returns a function that fills in the defaults of a schema, as a server does. It changes the object in place
 * and returns it. A missing object stays missing, even if its fields have defaults.
 */
export function createDefaulter<T extends object>(schema: ResourceSchema): (object: T) => T {
  return (object) => {
    applyDefaults(object, schema);
    return object;
  };
}

function applyDefaults(value: unknown, schema: ResourceSchema): void {
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value) applyDefaults(item, schema.items);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const object = value as Record<string, unknown>;
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const missing = !Object.hasOwn(object, name) || object[name] === undefined;
    // An empty line in YAML is null. A server also drops null for a field that is not nullable.
    const dropped = object[name] === null && child.nullable !== true;
    if (child.default !== undefined && (missing || dropped)) object[name] = structuredClone(child.default);
    if (Object.hasOwn(object, name)) applyDefaults(object[name], child);
  }
  if (typeof schema.additionalProperties !== "object") return;
  for (const child of Object.values(object)) applyDefaults(child, schema.additionalProperties);
}
