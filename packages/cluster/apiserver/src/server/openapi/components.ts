import type { RawSchema } from "../../apimachinery/schema/schema.ts";

const PREFIX = "#/components/schemas/";

/** Returns the definitions that the roots refer to, directly or indirectly, sorted by name. */
export function referredDefinitions(
  roots: readonly unknown[],
  definition: (name: string) => RawSchema | undefined,
): Record<string, RawSchema> {
  const found = new Map<string, RawSchema>();
  const waiting: unknown[] = [...roots];
  while (waiting.length > 0) {
    for (const name of references(waiting.pop())) {
      const schema = found.has(name) ? undefined : definition(name);
      if (schema === undefined) continue;
      found.set(name, schema);
      waiting.push(schema);
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function* references(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === "$ref" && typeof child === "string" && child.startsWith(PREFIX))
      yield child.slice(PREFIX.length);
    else yield* references(child);
  }
}
