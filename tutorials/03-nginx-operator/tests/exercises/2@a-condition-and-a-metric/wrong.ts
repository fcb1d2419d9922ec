import type { Condition } from "@operator-path/client";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";

/** Returns the conditions of an OvhNginx that has this number of ready Pods. */
export function conditionsFor(ovhNginx: OvhNginx, readyReplicas: number): Condition[] {
  const { replicaCount } = ovhNginx.spec;
  const old = ovhNginx.status?.conditions ?? [];
  const status = readyReplicas >= replicaCount ? "True" : "False";
  // A new time at each call, and so a write at each call.
  const available: Condition = {
    type: "Available",
    status,
    reason: status === "True" ? "Up" : "Waiting",
    message: `${readyReplicas} of ${replicaCount}`,
    lastTransitionTime: new Date().toISOString(),
    ...(ovhNginx.metadata?.generation && { observedGeneration: ovhNginx.metadata.generation }),
  };
  return [available, ...old.filter(({ type }) => type !== "Available")];
}
