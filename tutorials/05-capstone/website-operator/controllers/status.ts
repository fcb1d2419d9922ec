import { isDeepStrictEqual } from "node:util";
import type { Deployment } from "@operator-path/client";
import { type Client, setStatusCondition } from "@operator-path/controller-runtime";
import type { Website } from "../api/v1/website.types.ts";

/** Reports in the status of a Website whether its Pods are available. */
export async function reportStatus(client: Client, website: Website, deployment: Deployment): Promise<void> {
  const available = deployment.status?.availableReplicas ?? 0;
  const isAvailable = available >= website.spec.replicas;
  const conditions = setStatusCondition(website.status?.conditions, {
    type: "Available",
    status: isAvailable ? "True" : "False",
    reason: isAvailable ? "PodsAvailable" : "PodsMissing",
    message: `${available} of ${website.spec.replicas} Pods are available`,
    observedGeneration: website.metadata?.generation,
  });
  const status = { ...website.status, conditions };
  if (!isDeepStrictEqual(status, website.status)) await client.status.update({ ...website, status });
}
