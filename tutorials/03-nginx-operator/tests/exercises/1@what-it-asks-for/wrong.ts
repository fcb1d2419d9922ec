import type { Deployment } from "@operator-path/client";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";
import { nginx } from "./nginx.ts";
import { metadataFor } from "./objects.ts";

/** Returns the Deployment that an OvhNginx asks for. */
export function deploymentFor(ovhNginx: OvhNginx): Deployment {
  // The Pods of all OvhNginxes have this label.
  const labels = { app: "nginx" };
  const ports = [{ name: "http", containerPort: ovhNginx.spec.port }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadataFor(ovhNginx),
    spec: {
      replicas: ovhNginx.spec.replicaCount,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ ...nginx, ports }] } },
    },
  };
}
