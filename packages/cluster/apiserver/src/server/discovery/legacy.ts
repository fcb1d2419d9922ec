// The unaggregated documents, one request per group-version. kubectl falls back to them, and people read them
// with `kubectl get --raw`.
import type { JsonObject } from "../../lib/json/json.ts";
import type { TypeRegistry } from "../types/registry.ts";
import type { ResourceType } from "../types/resource-type.ts";
import { groupVersion } from "../types/resource-type.ts";
import type { ServedGroup } from "./groups.ts";
import { servedGroups } from "./groups.ts";

/**
 * Returns meta/v1 APIVersions: the versions of the core group. It contains no server address, so clients keep
 * theirs.
 */
export function apiVersions(): JsonObject {
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] };
}

export function apiGroupList(registry: TypeRegistry): JsonObject {
  const groups = servedGroups(registry).filter(({ name }) => name !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(describeGroup) };
}

export function apiGroup(registry: TypeRegistry, name: string): JsonObject | undefined {
  const group = servedGroups(registry).find((entry) => entry.name === name);
  return group === undefined ? undefined : { kind: "APIGroup", apiVersion: "v1", ...describeGroup(group) };
}

export function apiResourceList(
  registry: TypeRegistry,
  group: string,
  version: string,
): JsonObject | undefined {
  const types = registry.resources().filter((type) => type.group === group && type.version === version);
  if (types.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    // A real server omits this field for the core group.
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: groupVersion({ group, version }),
    resources: types.flatMap(describeResource),
  };
}

function describeGroup({ name, versions }: ServedGroup): JsonObject {
  const described = versions.map(({ version }) => ({
    groupVersion: groupVersion({ group: name, version }),
    version,
  }));
  return { name, versions: described, preferredVersion: described[0] };
}

function describeResource(type: ResourceType): JsonObject[] {
  return [
    {
      name: type.plural,
      singularName: type.singular,
      namespaced: type.namespaced,
      kind: type.kind,
      verbs: [...type.verbs],
      ...(type.shortNames.length === 0 ? {} : { shortNames: [...type.shortNames] }),
      ...(type.categories.length === 0 ? {} : { categories: [...type.categories] }),
      ...(type.storageVersionHash === undefined ? {} : { storageVersionHash: type.storageVersionHash }),
    },
    ...type.subresourceTypes.map((subresource) => ({
      name: `${type.plural}/${subresource.name}`,
      singularName: "",
      namespaced: type.namespaced,
      ...(subresource.group === type.group && subresource.version === type.version
        ? {}
        : { group: subresource.group, version: subresource.version }),
      kind: subresource.kind,
      verbs: [...subresource.verbs],
    })),
  ];
}
