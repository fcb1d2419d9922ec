import {
  addResources,
  count,
  maskResources,
  type ResourceList,
  writeResourceList,
} from "../../../kinds/core/resource-list.ts";
import type { ApiObject } from "../../../lib/json/json.ts";
import { object } from "../../../lib/json/read.ts";
import { matchesScopes } from "./scopes.ts";
import { type CountedResource, isTracked, usageOf } from "./usage.ts";

/** Returns those of the given resources whose objects a quota counts. */
export function countedBy<T extends CountedResource>(quota: object, resources: readonly T[]): T[] {
  const names = Object.keys(object(object((quota as ApiObject).spec).hard));
  return resources.filter((resource) => names.some((name) => isTracked(resource, name)));
}

/**
 * Calculates the usage of a quota: status.used, with each name of spec.hard.
 *
 * @param quota a ResourceQuota from an API server
 * @param objects the objects of the quota's namespace, by resource
 */
export function quotaUsage(
  quota: object,
  objects: readonly { resource: CountedResource; items: readonly object[] }[],
): Record<string, string> {
  const spec = object((quota as ApiObject).spec);
  const names = Object.keys(object(spec.hard));
  let used: ResourceList = Object.fromEntries(names.map((name) => [name, count(0)]));
  for (const { resource, items } of objects) {
    const tracked = names.filter((name) => isTracked(resource, name));
    for (const item of items as readonly ApiObject[]) {
      if (!matchesScopes(spec, resource, item)) continue;
      used = addResources(used, maskResources(usageOf(resource, item), tracked));
    }
  }
  return writeResourceList(used);
}
