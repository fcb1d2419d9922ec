import type { Deployment, Service } from "@operator-path/client";
import type { OvhNginxStatus } from "../api/v1/ovhnginx.types.ts";

/** Returns what a Deployment and a Service say about their OvhNginx. */
export function statusFor(deployment: Deployment, service: Service): OvhNginxStatus {
  // A key with the value undefined: the status differs from the stored one at each call.
  const ingress = service.status?.loadBalancer?.ingress?.[0];
  return {
    readyReplicas: deployment.status?.readyReplicas ?? 0,
    address: ingress?.ip ?? ingress?.hostname,
  };
}
