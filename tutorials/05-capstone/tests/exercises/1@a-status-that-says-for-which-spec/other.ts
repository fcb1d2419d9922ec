import type { Deployment } from "@operator-path/client";
import type { Client } from "@operator-path/controller-runtime";
import type { Website } from "../api/v1/website.types.ts";

export async function reportStatus(client: Client, website: Website, deployment: Deployment): Promise<void> {
  const [old] = website.status?.conditions ?? [];
  const status = (deployment.status?.availableReplicas ?? 0) > 0 ? "True" : "False";
  const observedGeneration = website.metadata?.generation ?? 0;
  if (old?.status === status && old.observedGeneration === observedGeneration) return;
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : new Date().toISOString();
  const ready = { type: "Ready", status, reason: "Counted", message: "", lastTransitionTime, observedGeneration };
  await client.status.update({ ...website, status: { conditions: [ready] } } as Website);
}
