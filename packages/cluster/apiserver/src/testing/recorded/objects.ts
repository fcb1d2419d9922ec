import type { JsonObject, JsonValue } from "../../lib/json/json.ts";
import { namespace } from "./exchange.ts";

// The parts of the exchanges: small valid objects. Each exchange makes one part of them invalid.

export const paths = {
  pods: `/api/v1/namespaces/${namespace}/pods`,
  configMaps: `/api/v1/namespaces/${namespace}/configmaps`,
  secrets: `/api/v1/namespaces/${namespace}/secrets`,
  services: `/api/v1/namespaces/${namespace}/services`,
  serviceAccounts: `/api/v1/namespaces/${namespace}/serviceaccounts`,
  events: `/api/v1/namespaces/${namespace}/events`,
  persistentVolumeClaims: `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
  namespaces: "/api/v1/namespaces",
  nodes: "/api/v1/nodes",
  deployments: `/apis/apps/v1/namespaces/${namespace}/deployments`,
  replicaSets: `/apis/apps/v1/namespaces/${namespace}/replicasets`,
  statefulSets: `/apis/apps/v1/namespaces/${namespace}/statefulsets`,
  daemonSets: `/apis/apps/v1/namespaces/${namespace}/daemonsets`,
  jobs: `/apis/batch/v1/namespaces/${namespace}/jobs`,
  cronJobs: `/apis/batch/v1/namespaces/${namespace}/cronjobs`,
  leases: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
  roles: `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`,
  roleBindings: `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`,
  definitions: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
};

export const json = "application/json";
export const jsonPatch = "application/json-patch+json";
export const mergePatch = "application/merge-patch+json";
export const strategicMergePatch = "application/strategic-merge-patch+json";

export function container(more: JsonObject = {}): JsonObject {
  return { name: "main", image: "nginx:1.27", ...more };
}

export function pod(spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { metadata: { name: "a", ...metadata }, spec: { containers: [container()], ...spec } };
}

/** Returns a Pod whose only container has these fields too. */
export function podWith(more: JsonObject): JsonObject {
  return pod({ containers: [container(more)] });
}

/** Returns a Deployment, ReplicaSet, DaemonSet or StatefulSet. They have the same beginning. */
export function workload(spec: JsonObject = {}, template: JsonObject = {}): JsonObject {
  return {
    metadata: { name: "a" },
    spec: {
      selector: { matchLabels: { app: "a" } },
      template: { metadata: { labels: { app: "a" } }, spec: { containers: [container()], ...template } },
      ...spec,
    },
  };
}

export function configMap(data: JsonObject = { x: "1" }, metadata: JsonObject = {}): JsonObject {
  return { metadata: { name: "a", ...metadata }, data };
}

export function service(spec: JsonObject = {}): JsonObject {
  return { metadata: { name: "a" }, spec: { selector: { app: "a" }, ports: [{ port: 80 }], ...spec } };
}

/** Returns a definition of Bug (ex.io/v1) with this schema for its spec. */
export function definition(spec: JsonObject, version: JsonObject = {}, top: JsonObject = {}): JsonObject {
  const schema: JsonObject = { type: "object", properties: { spec } };
  return {
    metadata: { name: "bugs.ex.io" },
    spec: {
      group: "ex.io",
      scope: "Namespaced",
      names: { plural: "bugs", kind: "Bug" },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version },
      ],
      ...top,
    },
  };
}

export const bugs = `/apis/ex.io/v1/namespaces/${namespace}/bugs`;

export function bug(spec: JsonValue, more: JsonObject = {}): JsonObject {
  return { apiVersion: "ex.io/v1", kind: "Bug", metadata: { name: "a" }, spec, ...more };
}
