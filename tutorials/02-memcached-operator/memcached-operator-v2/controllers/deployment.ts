import type { Deployment } from "@operator-path/client";
import type { Memcached } from "../api/v1/memcached.types.ts";

/** Returns the Deployment that a Memcached asks for. It has no owner yet. */
export function deploymentFor({ metadata, spec }: Memcached): Deployment {
  const { namespace = "", name = "" } = metadata ?? {};
  const { memory = 64, whenFull } = spec;
  const onFull = whenFull === "Error" ? ["--disable-evictions"] : [];
  const labels = labelsFor(name);
  const container = {
    name: "memcached",
    image: "memcached:1.6.39-alpine",
    command: ["memcached", `--memory-limit=${memory}`, ...onFull, "-o", "modern", "-v"],
    ports: [{ name: "memcached", containerPort: 11211 }],
    // Allows the Pod in namespaces that enforce the Pod Security standard `restricted`.
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 11211,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      seccompProfile: { type: "RuntimeDefault" },
    },
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

/** Returns the labels of a Memcached's Pods. */
export function labelsFor(name: string): Record<string, string> {
  return { app: "memcached", memcached_cr: name };
}
