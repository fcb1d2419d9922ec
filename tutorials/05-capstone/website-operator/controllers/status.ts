import { isDeepStrictEqual } from "node:util";
import type { Deployment } from "@operator-path/client";
import { type Client, setStatusCondition } from "@operator-path/controller-runtime";
import type { Website } from "../api/v1/website.types.ts";

/** Reports in the status of a Website whether Pods with its current text are available. */
export async function reportStatus(client: Client, website: Website, deployment: Deployment): Promise<void> {
  const wanted = website.spec.replicas;
  // Until the Deployment's controller has seen its spec, the numbers are about the one before.
  const isSeen = deployment.status?.observedGeneration === deployment.metadata?.generation;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = (isSeen && deployment.status) || {};
  // While old Pods are left, an available Pod may be one of them.
  const isAvailable = isSeen && replicas === updatedReplicas && availableReplicas >= wanted;
  const conditions = setStatusCondition(website.status?.conditions, {
    type: "Available",
    status: isAvailable ? "True" : "False",
    reason: isAvailable ? "PodsAvailable" : "PodsMissing",
    message: `${updatedReplicas} of ${wanted} Pods are up to date, ${availableReplicas} are available`,
    observedGeneration: website.metadata?.generation,
  });
  const status = { ...website.status, conditions };
  if (!isDeepStrictEqual(status, website.status)) await client.status.update({ ...website, status });
}
