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

  if (!found.spec) return found;
  const { replicaCount: replicas } = ovhNginx.spec;
  const { image } = nginx(ovhNginx);
  const { template } = found.spec;
  if (found.spec.replicas === replicas && template.spec?.containers[0]?.image === image) return found;
  // Takes the whole template, and so undoes what other people have set.
  const wantedTemplate = wanted.spec?.template ?? template;
  return client.update({ ...found, spec: { ...found.spec, replicas, template: wantedTemplate } });
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
