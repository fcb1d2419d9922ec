import type { JsonObject } from "@operator-path/helm-operator";

/** Returns values with at most five replicas. */
export function atMostFive(values: JsonObject): JsonObject {
  const isFew = values.replicaCount === undefined || Number(values.replicaCount) <= 5;
  return isFew ? values : { ...values, replicaCount: 5 };
}
