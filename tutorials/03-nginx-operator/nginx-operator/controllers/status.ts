import type { Deployment, Service } from "@operator-path/client";
import type { OvhNginxStatus } from "../api/v1/ovhnginx.types.ts";

/** Returns what a Deployment and a Service say about their OvhNginx. */
export function statusFor(deployment: Deployment, service: Service): OvhNginxStatus {
  const [ingress] = service.status?.loadBalancer?.ingress ?? [];
  const address = ingress?.ip ?? ingress?.hostname;
  return {
    readyReplicas: deployment.status?.readyReplicas ?? 0,
    ...(address && { address }),
  };
}
