import type { Condition } from "@operator-path/client";
import { setStatusCondition } from "@operator-path/controller-runtime";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";

/** Returns the conditions of an OvhNginx that has this number of ready Pods. */
export function conditionsFor({ metadata, spec, status }: OvhNginx, readyReplicas: number): Condition[] {
  const isAvailable = readyReplicas >= spec.replicaCount;
  return setStatusCondition(status?.conditions, {
    type: "Available",
    status: isAvailable ? "True" : "False",
    reason: isAvailable ? "AllReady" : "PodsMissing",
    message: `${readyReplicas} of ${spec.replicaCount} Pods are ready`,
    observedGeneration: metadata?.generation,
  });
}
