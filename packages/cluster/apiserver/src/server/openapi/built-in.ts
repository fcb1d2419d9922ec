import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import type { JsonObject } from "../../lib/json/json.ts";
import { readDocument } from "../types/data.ts";
import type { TypeRegistry } from "../types/registry.ts";
import type { ResourceType } from "../types/resource-type.ts";

/**
 * Returns the document of a built-in group-version as Kubernetes publishes it, without unserved paths.
 * @param name `api/v1` or `apis/<group>/<version>`
 */
export function builtInDocument(name: string, types: ResourceType[], registry: TypeRegistry): JsonObject {
  const data = readDocument(name);
  if (data === undefined) throw new Error(`the type data has no OpenAPI document of ${name}`);
  const served = new Set(
    types.flatMap(({ plural, subresources }) => [plural, ...subresources.map((sub) => `${plural}/${sub}`)]),
  );
  const paths: JsonObject = {};
  for (const [path, item] of Object.entries(data.paths)) {
    const resource = resourceOf(path.slice(`/${name}/`.length));
    if (resource === "" || served.has(resource)) paths[path] = item;
  }
  const schemas: Record<string, RawSchema> = {};
  for (const definition of data.definitions) {
    const kinds = data.kinds[definition];
    const schema = registry.definition(definition) ?? {};
    schemas[definition] =
      kinds === undefined ? schema : { ...schema, "x-kubernetes-group-version-kind": kinds };
  }
  return {
    openapi: "3.0.0",
    info: data.info,
    paths,
    components: { schemas, securitySchemes: data.securitySchemes } as unknown as JsonObject,
  };
}

/** Returns `pods/log` for `namespaces/{namespace}/pods/{name}/log`, and "" for the list of resources. */
function resourceOf(path: string): string {
  const segments = path.split("/");
  // Watches with their own path are deprecated, and not served.
  if (segments[0] === "watch") return "watch";
  const own = segments[0] === "namespaces" && segments[1] === "{namespace}" ? segments.slice(2) : segments;
  const [plural = "", , ...rest] = own;
  return rest.length === 0 ? plural : `${plural}/${rest[0]}`;
}
