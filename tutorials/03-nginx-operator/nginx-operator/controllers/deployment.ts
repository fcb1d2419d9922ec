import { type Deployment, deployments } from "@operator-path/client";
import type { Client, Logger } from "@operator-path/controller-runtime";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";
import { containerPort, find, labelsFor, metadataFor } from "./objects.ts";

/** Creates the Deployment of an OvhNginx, or gives the one that is there as many replicas as it asks for. */
export async function reconcileDeployment(
  client: Client,
  ovhNginx: OvhNginx,
  log: Logger,
): Promise<Deployment> {
  const { replicaCount: replicas } = ovhNginx.spec;
  const found = await find(client, deployments, ovhNginx);
  if (!found) {
    const { namespace, name } = metadataFor(ovhNginx);
    log.info({ "Deployment.Namespace": namespace, "Deployment.Name": name }, "✨ Creating a new Deployment");
    return client.create(deploymentFor(ovhNginx));
  }
  if (!found.spec || found.spec.replicas === replicas) return found;
  log.info(`scaling the Deployment from ${found.spec.replicas} to ${replicas}`);
  return client.update({ ...found, spec: { ...found.spec, replicas } });
}

function deploymentFor(ovhNginx: OvhNginx): Deployment {
  const labels = labelsFor(ovhNginx);
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadataFor(ovhNginx),
    spec: {
      replicas: ovhNginx.spec.replicaCount,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: "nginx",
              image: "nginxinc/nginx-unprivileged:1.29-alpine",
              ports: [{ name: "http", containerPort }],
              // So it also runs where a namespace enforces the Pod standard `restricted`.
              securityContext: {
                runAsNonRoot: true,
                allowPrivilegeEscalation: false,
                capabilities: { drop: ["ALL"] },
                seccompProfile: { type: "RuntimeDefault" },
              },
            },
          ],
        },
      },
    },
  };
}
