import type { Deployment } from "@operator-path/client";
import type { MemcachedBackup } from "../api/v1/memcachedbackup.types.ts";

export const backupLabel = "cache.my.domain/backup";

/** Returns the labels of a MemcachedBackup's Pods. The chart's Services select none of them. */
export function labelsFor(name: string): Record<string, string> {
  return { "app.kubernetes.io/name": "memcachedbackup", [backupLabel]: name };
}

/** Returns the Deployment that a MemcachedBackup asks for. It has no owner yet. */
export function deploymentFor({ metadata, spec }: MemcachedBackup): Deployment {
  const { namespace = "", name = "" } = metadata ?? {};
  const labels = labelsFor(name);
  const ports = [{ name: "memcached", containerPort: 11211 }];
  // Allows the Pod in namespaces that enforce the Pod Security standard `restricted`.
  const securityContext = {
    runAsNonRoot: true,
    runAsUser: 11211,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
  };
  const image = "memcached:1.6.39-alpine";
  const container = { name: "memcached", image, args: ["--memory-limit=64"], ports, securityContext };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: {
      replicas: spec.size,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}
