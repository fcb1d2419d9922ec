import { compareVersions } from "../../apimachinery/version.ts";
import type { TypeRegistry } from "../types/registry.ts";
import type { ResourceType } from "../types/resource-type.ts";

/** A group in the form of discovery. */
export interface ServedGroup {
  name: string;
  /** With the preferred version first. */
  versions: { version: string; types: ResourceType[] }[];
}

/**
 * Returns the served groups, including the core group (""), in the order in which clients look for a
 * resource.
 */
export function servedGroups(registry: TypeRegistry): ServedGroup[] {
  const groups = new Map<string, Map<string, ResourceType[]>>();
  for (const type of registry.resources()) {
    const versions = groups.get(type.group) ?? new Map<string, ResourceType[]>();
    groups.set(type.group, versions);
    versions.set(type.version, [...(versions.get(type.version) ?? []), type]);
  }
  return [...groups].map(([name, versions]) => {
    const sorted = [...versions].sort(([a], [b]) => compareVersions(a, b));
    return { name, versions: sorted.map(([version, types]) => ({ version, types })) };
  });
}
