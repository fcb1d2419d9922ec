import type { JsonObject } from "../../../lib/json/json.ts";
import { object, objects } from "../../../lib/json/read.ts";
import { addResources, maxResources, type ResourceList, readResourceList } from "../resource-list.ts";

/**
 * Returns the requests or limits of a whole Pod (PodRequests and PodLimits of k8s.io/component-helpers): the
 * sum over its containers, or the highest demand during its start. Amounts for the Pod itself replace them.
 */
export function podResources(spec: JsonObject, which: "requests" | "limits"): ResourceList {
  const of = (container: JsonObject) => readResourceList(object(container.resources)[which]);
  let total: ResourceList = {};
  for (const container of objects(spec.containers)) total = addResources(total, of(container));
  let sidecars: ResourceList = {};
  let starting: ResourceList = {};
  for (const container of objects(spec.initContainers)) {
    if (container.restartPolicy === "Always") {
      total = addResources(total, of(container));
      sidecars = addResources(sidecars, of(container));
      starting = maxResources(starting, sidecars);
    } else {
      starting = maxResources(starting, addResources(of(container), sidecars));
    }
  }
  const ofPod = readResourceList(object(spec.resources)[which]);
  return { ...maxResources(total, starting), ...ofPod };
}

/** Returns whether the Pod has resources for itself as a whole. */
export function hasPodLevelResources(spec: JsonObject): boolean {
  const { requests, limits } = object(spec.resources);
  return [requests, limits].some((list) => Object.keys(object(list)).length > 0);
}
