import type { Container } from "@operator-path/client";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";

/** The port that nginx listens on in its Pod. The image sets it. */
export const containerPort = 8080;

/** Returns the container that runs nginx, in the version that the OvhNginx asks for. */
export function nginx({ spec }: OvhNginx): Container {
  return {
    name: "nginx",
    image: `nginxinc/nginx-unprivileged:${spec.version ?? "1.29-alpine"}`,
    readinessProbe: { httpGet: { path: "/", port: containerPort }, periodSeconds: 1 },
    // Allows the Pod in namespaces that enforce the Pod Security standard `restricted`.
    securityContext: {
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      seccompProfile: { type: "RuntimeDefault" },
    },
  };
}
