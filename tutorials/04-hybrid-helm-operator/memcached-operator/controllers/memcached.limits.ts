import type { JsonObject } from "@operator-path/helm-operator";

/** Returns values with at most five replicas. */
export function atMostFive(values: JsonObject): JsonObject {
  return Number(values.replicaCount) > 5 ? { ...values, replicaCount: 5 } : values;
}
