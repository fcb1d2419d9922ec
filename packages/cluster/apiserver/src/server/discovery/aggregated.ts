// Aggregated discovery (KEP-3352): all groups, versions and resources in two responses, for /api and /apis.
import type { JsonObject } from "../../lib/json/json.ts";
import type { TypeRegistry } from "../types/registry.ts";
import type { ResourceType } from "../types/resource-type.ts";
import { servedGroups } from "./groups.ts";

type AggregatedVersion = "v2" | "v2beta1";

/**
 * Returns the first version of aggregated discovery in an Accept header that the server supports, or
 * undefined.
 */
export function aggregatedMediaType(
  accept: string,
): { mediaType: string; version: AggregatedVersion } | undefined {
  for (const range of accept.split(",")) {
    const [type, ...parameters] = range.split(";").map((part) => part.trim());
    if (type === "application/json" && !parameters.some((parameter) => parameter.startsWith("as="))) {
      return undefined;
    }
    if (type !== "application/json" || !parameters.includes("as=APIGroupDiscoveryList")) continue;
    if (!parameters.includes("g=apidiscovery.k8s.io")) continue;
    for (const version of ["v2", "v2beta1"] as const) {
      if (!parameters.includes(`v=${version}`)) continue;
      return {
        mediaType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
        version,
      };
    }
  }
  return undefined;
}

/** Returns the document. @param core only the core group (`/api`), or all others (`/apis`) */
export function aggregatedDiscovery(
  core: boolean,
  registry: TypeRegistry,
  version: AggregatedVersion,
): JsonObject {
  const items = servedGroups(registry)
    .filter(({ name }) => (name === "") === core)
    .map(({ name, versions }) => ({
      metadata: name === "" ? {} : { name },
      versions: versions.map((entry) => ({
        version: entry.version,
        resources: entry.types.map(describe),
        freshness: "Current",
      })),
    }));
  return { kind: "APIGroupDiscoveryList", apiVersion: `apidiscovery.k8s.io/${version}`, metadata: {}, items };
}

function describe(type: ResourceType): JsonObject {
  // Like a real server, leaves group and version of a built-in kind empty if they are those of the list.
  const own = type.custom === undefined ? { group: "", version: "" } : type;
  return {
    resource: type.plural,
    responseKind: { group: own.group, version: own.version, kind: type.kind },
    scope: type.namespaced ? "Namespaced" : "Cluster",
    singularResource: type.singular,
    verbs: [...type.verbs],
    ...(type.shortNames.length === 0 ? {} : { shortNames: [...type.shortNames] }),
    ...(type.categories.length === 0 ? {} : { categories: [...type.categories] }),
    ...(type.subresourceTypes.length === 0
      ? {}
      : {
          subresources: type.subresourceTypes.map((subresource) => {
            const same = subresource.group === type.group && subresource.version === type.version;
            const { group, version } = same ? own : subresource;
            return {
              subresource: subresource.name,
              responseKind: { group, version, kind: subresource.kind },
              verbs: [...subresource.verbs],
            };
          }),
        }),
  };
}
