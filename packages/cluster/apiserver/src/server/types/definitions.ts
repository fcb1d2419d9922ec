import type { RawSchema, Schema } from "../../apimachinery/schema/schema.ts";
import { createSchemaResolver } from "../../apimachinery/schema/schema.ts";
import { readDefinitions } from "./data.ts";

/** Kubernetes' own definitions by full name (`io.k8s.api.core.v1.Pod`), read a package at a time, when first asked for. */
export interface Definitions {
  /** As it stands in the OpenAPI documents. */
  raw(name: string): RawSchema | undefined;
  /** With its references followed. */
  schema(name: string): Schema | undefined;
}

export function createDefinitions(): Definitions {
  const packages = new Map<string, Record<string, RawSchema>>();

  function raw(name: string): RawSchema | undefined {
    const packageName = name.slice(0, name.lastIndexOf("."));
    let definitions = packages.get(packageName);
    if (definitions === undefined) {
      definitions = readDefinitions(packageName) ?? {};
      packages.set(packageName, definitions);
    }
    return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  }

  return { raw, schema: createSchemaResolver(raw) };
}
