import type { ResourceSchema } from "./schema.ts";

/**
 * Makes the function that fills in what a schema has defaults for, as a server does before anybody reads the object.
 * The object itself is changed, and returned. A default below an object that is missing is not set: the object is not
 * made for it.
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
    // A null that may not be there is what an author's empty line in YAML makes; a server drops it, too.
    const dropped = object[name] === null && child.nullable !== true;
    if (child.default !== undefined && (missing || dropped)) object[name] = structuredClone(child.default);
    if (Object.hasOwn(object, name)) applyDefaults(object[name], child);
  }
  if (typeof schema.additionalProperties !== "object") return;
  for (const child of Object.values(object)) applyDefaults(child, schema.additionalProperties);
}
