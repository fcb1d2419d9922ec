import type { Deployment } from "@operator-path/client";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";
import { nginx } from "./nginx.ts";
import { metadataFor } from "./objects.ts";

/** Returns the Deployment that an OvhNginx asks for. */
export function deploymentFor(ovhNginx: OvhNginx): Deployment {
  const metadata = metadataFor(ovhNginx);
  const { labels = {} } = metadata;
  const ports = [{ name: "http", containerPort: 8080, protocol: "TCP" as const }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: {
      replicas: ovhNginx.spec.replicaCount,
      selector: { matchLabels: { ovhnginx_cr: labels["ovhnginx_cr"] ?? "" } },
      template: { metadata: { labels }, spec: { containers: [{ ...nginx, ports }] } },
    },
  };
}
