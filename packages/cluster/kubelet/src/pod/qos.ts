import type { Pod } from "@operator-path/client";

/** The Pod's quality of service (k8s.io/kubernetes/pkg/apis/core/v1/helper/qos): by requests and limits of CPU and memory. */
export function qosClass(pod: Pod): "Guaranteed" | "Burstable" | "BestEffort" {
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  let any = false;
  let guaranteed = true;
  for (const { resources } of containers) {
    for (const name of ["cpu", "memory"]) {
      const limit = resources?.limits?.[name];
      const request = resources?.requests?.[name] ?? limit;
      if (request !== undefined || limit !== undefined) any = true;
      if (limit === undefined || request !== limit) guaranteed = false;
    }
  }
  if (!any) return "BestEffort";
  return guaranteed ? "Guaranteed" : "Burstable";
}
