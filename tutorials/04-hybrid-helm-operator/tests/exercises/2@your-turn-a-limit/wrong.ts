import type { JsonObject } from "@operator-path/helm-operator";

// A missing number becomes NaN.
export function atMostFive(values: JsonObject): JsonObject {
  return { ...values, replicaCount: Math.min(Number(values.replicaCount), 5) };
}
