import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/json/json.ts";

const compute = ["cpu", "memory"];

/**
 * Guaranteed: every container limits cpu and memory, and requests as much. BestEffort: none asks for any. Burstable
 * otherwise. (k8s.io/kubernetes/pkg/apis/core/helper/qos.)
 */
export function qosClass(spec: JsonObject): "Guaranteed" | "Burstable" | "BestEffort" {
  const containers = [...list(spec.containers), ...list(spec.initContainers)];
  let any = false;
  let guaranteed = containers.length > 0;
  for (const container of containers) {
    const resources = object(container.resources);
    const limits = object(resources.limits);
    // Requests that are not stated are those of the limits.
    const requests: JsonObject = { ...limits, ...object(resources.requests) };
    const asked = compute.filter((name) => !isZero(requests[name]));
    if (asked.length > 0 || compute.some((name) => !isZero(limits[name]))) any = true;
    if (!compute.every((name) => !isZero(limits[name]) && limits[name] === requests[name]))
      guaranteed = false;
  }
  if (!any) return "BestEffort";
  return guaranteed ? "Guaranteed" : "Burstable";
}

function isZero(quantity: JsonValue | undefined): boolean {
  return quantity === undefined || /^0+(\.0*)?[a-zA-Z]*$/.test(String(quantity));
}

function list(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function object(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
