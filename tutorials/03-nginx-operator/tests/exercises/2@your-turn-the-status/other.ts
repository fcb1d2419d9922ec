import type { Deployment, Service } from "@operator-path/client";
import type { OvhNginxStatus } from "../api/v1/ovhnginx.types.ts";

/** Returns what a Deployment and a Service say about their OvhNginx. */
export function statusFor(deployment: Deployment, service: Service): OvhNginxStatus {
  const status: OvhNginxStatus = { readyReplicas: deployment.status?.readyReplicas || 0 };
  for (const { ip, hostname } of service.status?.loadBalancer?.ingress ?? []) {
    const address = ip ?? hostname;
    if (address !== undefined) status.address ??= address;
  }
  return status;
}
