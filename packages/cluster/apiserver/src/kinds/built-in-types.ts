import type { DiscoveredGroup, DiscoveredResource } from "../server/types/data.ts";
import type { ResourceType, SubresourceType } from "../server/types/resource-type.ts";
import { servedResources, unservedSubresources } from "./served.ts";

/** Returns the types of the served built-in resources, in the order of a real server's discovery. */
export function builtInTypes(groups: DiscoveredGroup[], warnings: Record<string, string>): ResourceType[] {
  return groups.flatMap(({ name, versions }) =>
    versions.flatMap(({ version, resources }) => {
      const served = new Set(servedResources[`${name}/${version}`]);
      return resources
        .filter((resource) => served.has(resource.name))
        .map((resource) => {
          const type = resourceType(name, version, resource, resources);
          const deprecationWarning = warnings[`${name}/${version}/${resource.name}`];
          return deprecationWarning === undefined ? type : { ...type, deprecationWarning };
        });
    }),
  );
}

function resourceType(
  group: string,
  version: string,
  resource: DiscoveredResource,
  all: DiscoveredResource[],
): ResourceType {
  const subresourceTypes = all
    .filter(({ name }) => name.startsWith(`${resource.name}/`) && !unservedSubresources.includes(name))
    .map((entry): SubresourceType => {
      return {
        name: entry.name.slice(resource.name.length + 1),
        group: entry.group ?? (entry.version === undefined ? group : ""),
        version: entry.version ?? version,
        kind: entry.kind,
        verbs: entry.verbs,
      };
    });
  return {
    group,
    version,
    kind: resource.kind,
    listKind: `${resource.kind}List`,
    plural: resource.name,
    singular: resource.singularName,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    namespaced: resource.namespaced,
    verbs: resource.verbs,
    subresources: subresourceTypes.map(({ name }) => name),
    subresourceTypes,
    // All other built-in kinds are served in one version.
    storage: group !== "events.k8s.io",
    ...(resource.storageVersionHash === undefined ? {} : { storageVersionHash: resource.storageVersionHash }),
  };
}
