import type { Taint, Toleration } from "@operator-path/client";

export const unschedulableTaint = "node.kubernetes.io/unschedulable";
export const notReadyTaint = "node.kubernetes.io/not-ready";

/** Whether a Pod may be put on a node with these taints. PreferNoSchedule is a wish, and keeps nobody away. */
export function toleratesAll(tolerations: Toleration[], taints: Taint[]): boolean {
  return taints
    .filter(({ effect }) => effect === "NoSchedule" || effect === "NoExecute")
    .every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)));
}

/** An empty key with operator Exists tolerates every taint, an empty effect every effect (core/v1 Toleration). */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === "Exists") return true;
  return toleration.key !== undefined && (toleration.value ?? "") === (taint.value ?? "");
}
