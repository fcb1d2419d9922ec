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

  const changed = structuredClone(found) as Deployment;
  let isChanged = false;
  if (changed.spec && changed.spec.replicas !== ovhNginx.spec.replicaCount) {
    changed.spec.replicas = ovhNginx.spec.replicaCount;
    isChanged = true;
  }
  const { image } = nginx(ovhNginx);
  for (const container of changed.spec?.template.spec?.containers ?? []) {
    if (container.name !== "nginx" || container.image === image) continue;
    if (image !== undefined) container.image = image;
    isChanged = true;
  }
  return isChanged ? client.update(changed) : found;
}

/** Returns the Deployment that an OvhNginx asks for. */
export function deploymentFor(ovhNginx: OvhNginx): Deployment {
  const labels = labelsFor(ovhNginx);
  const container = { ...nginx(ovhNginx), ports: [{ name: "http", containerPort }] };
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
