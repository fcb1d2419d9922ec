import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { CustomResourceDefinition } from "../../types/custom.ts";
import type { TypeRegistry } from "../../types/registry.ts";
import { createTypeRegistry } from "../../types/registry.ts";

/** The definitions of objects.yaml, in the order in which the real server was given them. */
export function sampleDefinitions(): CustomResourceDefinition[] {
  return parseAllDocuments(readFileSync(join(import.meta.dirname, "objects.yaml"), "utf8"))
    .map((document) => document.toJS() as CustomResourceDefinition & { kind: string })
    .filter(({ kind }) => kind === "CustomResourceDefinition");
}

/** A registry that knows what the real server knew when its answers were recorded. */
export function createSampleRegistry(): TypeRegistry {
  const registry = createTypeRegistry();
  for (const definition of sampleDefinitions()) registry.addCustomResource(definition);
  return registry;
}
