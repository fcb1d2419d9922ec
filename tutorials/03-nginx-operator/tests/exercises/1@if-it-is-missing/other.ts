import { type Deployment, deployments } from "@operator-path/client";
import { type Client, ignoreNotFound, type Logger, objectKeyOf } from "@operator-path/controller-runtime";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";
import { containerPort, nginx } from "./nginx.ts";
import { labelsFor, metadataFor } from "./objects.ts";

/** Creates the Deployment of an OvhNginx, or updates it if it differs from the spec. */
export async function reconcileDeployment(
  client: Client,
  ovhNginx: OvhNginx,
  log: Logger,
): Promise<Deployment> {
  const key = objectKeyOf(ovhNginx);
  const existing = await client.get(deployments, key).catch(ignoreNotFound);
  if (existing !== undefined) return existing;
  log.info(key, "✨ Creating a new Deployment");
  return await client.create(deploymentFor(ovhNginx));
}

/** Returns the Deployment that an OvhNginx asks for. */
export function deploymentFor(ovhNginx: OvhNginx): Deployment {
  const labels = labelsFor(ovhNginx);
  const container = { ...nginx, ports: [{ name: "http", containerPort }] };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadataFor(ovhNginx),
    spec: {
      replicas: ovhNginx.spec.replicaCount,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}
