import type { JsonObject } from "@operator-path/helm-operator";

export function atMostFive(values: JsonObject): JsonObject {
  if (!("replicaCount" in values)) return values;
  const wanted = Number(values.replicaCount);
  return { ...values, replicaCount: Number.isNaN(wanted) ? 5 : Math.min(wanted, 5) };
}
