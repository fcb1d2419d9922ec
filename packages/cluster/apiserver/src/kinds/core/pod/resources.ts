import type { JsonObject } from "../../../lib/json/json.ts";
import { object, objects } from "../../../lib/json/read.ts";
import { addResources, maxResources, type ResourceList, readResourceList } from "../resource-list.ts";

/**
 * What a Pod requests, or is limited to, as a whole: the sum of its containers, or what the most demanding moment of its
 * start needs (PodRequests and PodLimits of k8s.io/component-helpers). Amounts for the Pod itself take their place.
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

/** Whether amounts are given for the Pod as a whole. */
export function hasPodLevelResources(spec: JsonObject): boolean {
  const { requests, limits } = object(spec.resources);
  return [requests, limits].some((list) => Object.keys(object(list)).length > 0);
}
