import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import type { CustomResourceDefinition } from "../../../apiextensions/custom-resource-definition.ts";
import { addCustomResource } from "../../../apiextensions/custom-types.ts";
import { createServedTypes } from "../../../served-kinds.ts";
import type { TypeRegistry } from "../../types/registry.ts";

/** Returns the definitions of objects.yaml in the order in which the real server received them. */
export function sampleDefinitions(): CustomResourceDefinition[] {
  const objects = loadAll(readFileSync(join(import.meta.dirname, "objects.yaml"), "utf8"));
  return (objects as (CustomResourceDefinition & { kind: string })[]).filter(
    ({ kind }) => kind === "CustomResourceDefinition",
  );
}

/** Returns a registry with the types of the real server at the time of the recording. */
export function createSampleRegistry(): TypeRegistry {
  const registry = createServedTypes();
  for (const definition of sampleDefinitions()) addCustomResource(registry, definition);
  return registry;
}
