import { isDeepStrictEqual } from "node:util";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../../lib/json/json.ts";
import type { Strategy } from "../../../server/registry/strategy.ts";

function member(object: ApiObject, field: "spec" | "status"): JsonObject {
  const value = object[field];
  return isJsonObject(value) ? value : {};
}

export const podStrategy: Strategy = {
  generation: true,
  returnsDeleted: true,
  initialStatus: (pod) => ({ phase: "Pending", qosClass: qosClass(member(pod, "spec")) }),
  prepareForCreate(draft) {
    const spec = member(draft, "spec");
    // Negative values could once be stored, and are read as one second.
    draft.spec =
      Number(spec.terminationGracePeriodSeconds) < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
  },
  prepareForUpdate(draft, old, _context, subresource) {
    if (subresource !== "status") return;
    // Old kubelets damaged these fields. A real server ignores both in a status update.
    if (old.metadata.ownerReferences === undefined) delete draft.metadata.ownerReferences;
    else draft.metadata.ownerReferences = old.metadata.ownerReferences;
    const status = member(draft, "status");
    const before = member(old, "status");
    draft.status = { ...status, qosClass: status.qosClass ?? before.qosClass ?? "BestEffort" };
    if (isDeepStrictEqual(draft.status, before)) draft.status = before;
  },
  gracePeriod(pod, requested) {
    const { nodeName, terminationGracePeriodSeconds } = member(pod, "spec");
    const { phase } = member(pod, "status");
    // The Pod has no node, or has finished: there is nothing to wait for.
    if (!nodeName || phase === "Failed" || phase === "Succeeded") return 0;
    const period =
      requested ?? (typeof terminationGracePeriodSeconds === "number" ? terminationGracePeriodSeconds : 0);
    return period < 0 ? 1 : period;
  },
};

const compute = ["cpu", "memory"];

/**
 * Returns the QoS class of a Pod (k8s.io/kubernetes/pkg/apis/core/helper/qos). Guaranteed: every container
 * limits CPU and memory, and requests as much. BestEffort: no container requests any. Burstable: all others.
 */
export function qosClass(spec: JsonObject): "Guaranteed" | "Burstable" | "BestEffort" {
  const containers = [...list(spec.containers), ...list(spec.initContainers)];
  let any = false;
  let guaranteed = containers.length > 0;
  for (const container of containers) {
    const resources = object(container.resources);
    const limits = object(resources.limits);
    // Missing requests default to the limits.
    const requests: JsonObject = { ...limits, ...object(resources.requests) };
    const requested = compute.filter((name) => !isZero(requests[name]));
    if (requested.length > 0 || compute.some((name) => !isZero(limits[name]))) any = true;
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
