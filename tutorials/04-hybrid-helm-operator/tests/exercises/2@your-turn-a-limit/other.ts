import type { JsonObject } from "@operator-path/helm-operator";

export function atMostFive(values: JsonObject): JsonObject {
  if (!("replicaCount" in values)) return values;
  return { ...values, replicaCount: Math.min(Number(values.replicaCount), 5) };
}
