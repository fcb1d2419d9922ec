import type { Deployment } from "@operator-path/client";
import { setControllerReference } from "@operator-path/controller-runtime";
import type { MemcachedBackup } from "../api/v1/memcachedbackup.types.ts";

export const backupLabel = "cache.my.domain/backup";

/** The labels of a MemcachedBackup's Pods: none that the chart's Services select. */
export function labelsFor(name: string): Record<string, string> {
  return { "app.kubernetes.io/name": "memcachedbackup", [backupLabel]: name };
}

/** The Deployment of a MemcachedBackup, which it owns. */
export function deploymentFor(backup: MemcachedBackup): Deployment {
  const { namespace = "", name = "" } = backup.metadata ?? {};
  const labels = labelsFor(name);
  const deployment: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: {
      replicas: backup.spec.size,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: "memcached",
              image: "memcached:1.6.39-alpine",
              args: ["--memory-limit=64"],
              ports: [{ name: "memcached", containerPort: 11211 }],
              // So it also runs where a namespace enforces the Pod standard `restricted`.
              securityContext: {
                runAsNonRoot: true,
                runAsUser: 11211,
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
  return setControllerReference(backup, deployment);
}
