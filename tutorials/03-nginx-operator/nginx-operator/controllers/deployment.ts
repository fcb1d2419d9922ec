import { isDeepStrictEqual } from "node:util";
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

  const { replicaCount: replicas } = ovhNginx.spec;
  if (!found.spec) return found;
  if (found.spec.replicas !== replicas) {
    log.info(`scaling the Deployment from ${found.spec.replicas} to ${replicas}`);
  }
  const { image } = nginx(ovhNginx);
  const { template } = found.spec;
  const containers = (template.spec?.containers ?? []).map((container) => {
    if (container.name !== "nginx" || container.image === image) return container;
    log.info(`upgrading nginx from ${container.image} to ${image}`);
    return { ...container, image };
  });
  const pod = { ...template.spec, containers };
  const spec = { ...found.spec, replicas, template: { ...template, spec: pod } };
  return isDeepStrictEqual(spec, found.spec) ? found : client.update({ ...found, spec });
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
