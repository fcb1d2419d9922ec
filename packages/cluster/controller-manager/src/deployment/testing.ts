import type { Deployment, ReplicaSet } from "@operator-path/client";
import { sizeAnnotations } from "./annotations.ts";

/** For tests: a Deployment as an API server would hand it out. */
export function deploymentOf(
  replicas: number,
  options: {
    maxSurge?: number | string;
    maxUnavailable?: number | string;
    type?: "RollingUpdate" | "Recreate";
  } = {},
): Deployment {
  const { maxSurge = "25%", maxUnavailable = "25%", type = "RollingUpdate" } = options;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default", uid: "deployment-uid", generation: 1 },
    spec: {
      replicas,
      selector: { matchLabels: { app: "web" } },
      strategy: type === "Recreate" ? { type } : { type, rollingUpdate: { maxSurge, maxUnavailable } },
      template: template("new"),
    },
  };
}

/** For tests: a ReplicaSet of some size, of which so many Pods are available. The higher the age, the older. */
export function replicaSetOf(
  name: string,
  replicas: number,
  options: { available?: number; age?: number; deployment?: Deployment } = {},
): ReplicaSet {
  const { available = replicas, age = 0, deployment } = options;
  return {
    metadata: {
      name,
      uid: `${name}-uid`,
      creationTimestamp: new Date(Date.UTC(2026, 0, 1) - age * 1000).toISOString(),
      ...(deployment && { annotations: sizeAnnotations(deployment) }),
    },
    spec: { replicas, selector: { matchLabels: { app: "web" } }, template: template(name) },
    status: { replicas, readyReplicas: available, availableReplicas: available },
  };
}

function template(revision: string) {
  return {
    metadata: { labels: { app: "web" } },
    spec: { containers: [{ name: "web", image: `web:${revision}` }] },
  };
}
