import type { Deployment } from "@operator-path/client";
import type { Client, Logger } from "@operator-path/controller-runtime";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";
import { containerPort, nginx } from "./nginx.ts";
import { labelsFor, metadataFor } from "./objects.ts";

/** Creates the Deployment of an OvhNginx, or updates it if it differs from the spec. */
export async function reconcileDeployment(
  client: Client,
  ovhNginx: OvhNginx,
  log: Logger,
): Promise<Deployment> {
  // Creates it at each call: the second one fails.
  log.info("✨ Creating a new Deployment");
  return client.create(deploymentFor(ovhNginx));
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
