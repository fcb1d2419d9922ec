import { type Deployment, deployments } from "@operator-path/client";
import type { Client, Logger } from "@operator-path/controller-runtime";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";
import { containerPort, nginx } from "./nginx.ts";
import { find, labelsFor, metadataFor } from "./objects.ts";

/** Creates the Deployment of an OvhNginx, or updates it if it differs from the spec. */
export async function reconcileDeployment(
  client: Client,
  ovhNginx: OvhNginx,
  log: Logger,
): Promise<Deployment> {
  const wanted = deploymentFor(ovhNginx);
  const found = await find(client, deployments, ovhNginx);
  if (!found) {
    const { namespace, name } = wanted.metadata ?? {};
    log.info({ "Deployment.Namespace": namespace, "Deployment.Name": name }, "✨ Creating a new Deployment");
    return client.create(wanted);
  }

  if (found.spec?.replicas !== wanted.spec?.replicas) {
    const changed: Deployment = structuredClone(found) as Deployment;
    if (changed.spec) changed.spec.replicas = ovhNginx.spec.replicaCount;
    log.info(`scaling the Deployment from ${found.spec?.replicas} to ${ovhNginx.spec.replicaCount}`);
    return client.update(changed);
  }
  return found;
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
