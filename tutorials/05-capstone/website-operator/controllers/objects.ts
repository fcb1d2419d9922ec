import { createHash } from "node:crypto";
import type { ConfigMap, Deployment } from "@operator-path/client";
import type { Website } from "../api/v1/website.types.ts";

/** Returns the ConfigMap that holds a Website's page. It has no owner yet. */
export function configMapFor({ metadata, spec }: Website) {
  const { namespace = "", name = "" } = metadata ?? {};
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name },
    data: { "index.html": spec.text },
  } satisfies ConfigMap;
}

/** Returns the Deployment that serves a Website's page. It has no owner yet. */
export function deploymentFor({ metadata, spec }: Website) {
  const { namespace = "", name = "" } = metadata ?? {};
  const labels = { app: "website", website: name };
  const container = {
    name: "nginx",
    image: "nginxinc/nginx-unprivileged:1.29-alpine",
    ports: [{ name: "http", containerPort: 8080 }],
    volumeMounts: [{ name: "page", mountPath: "/usr/share/nginx/html" }],
    securityContext: {
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      seccompProfile: { type: "RuntimeDefault" },
    },
  };
  // A new text gets new Pods: a Pod that runs would see it some time later.
  const annotations = { "web.example.com/text": createHash("sha256").update(spec.text).digest("hex") };
  const podSpec = { containers: [container], volumes: [{ name: "page", configMap: { name } }] };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations }, spec: podSpec },
    },
  } satisfies Deployment;
}
