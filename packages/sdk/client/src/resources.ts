import { defineResource } from "./resource.ts";
import type * as t from "./types.ts";

// The built-in resources that controllers meet most. `defineResource` makes any other.

const core = { group: "", version: "v1", namespaced: true };
export const pods = defineResource<t.Pod>({ ...core, kind: "Pod", plural: "pods" });
export const services = defineResource<t.Service>({ ...core, kind: "Service", plural: "services" });
export const configMaps = defineResource<t.ConfigMap>({ ...core, kind: "ConfigMap", plural: "configmaps" });
export const secrets = defineResource<t.Secret>({ ...core, kind: "Secret", plural: "secrets" });
export const serviceAccounts = defineResource<t.ServiceAccount>({
  ...core,
  kind: "ServiceAccount",
  plural: "serviceaccounts",
});
export const events = defineResource<t.Event>({ ...core, kind: "Event", plural: "events" });
export const namespaces = defineResource<t.Namespace>({
  ...core,
  kind: "Namespace",
  plural: "namespaces",
  namespaced: false,
});
export const nodes = defineResource<t.Node>({ ...core, kind: "Node", plural: "nodes", namespaced: false });

const apps = { group: "apps", version: "v1", namespaced: true };
export const deployments = defineResource<t.Deployment>({
  ...apps,
  kind: "Deployment",
  plural: "deployments",
});
export const replicaSets = defineResource<t.ReplicaSet>({
  ...apps,
  kind: "ReplicaSet",
  plural: "replicasets",
});
export const statefulSets = defineResource<t.StatefulSet>({
  ...apps,
  kind: "StatefulSet",
  plural: "statefulsets",
});
export const daemonSets = defineResource<t.DaemonSet>({ ...apps, kind: "DaemonSet", plural: "daemonsets" });

export const leases = defineResource<t.Lease>({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  namespaced: true,
});

export const customResourceDefinitions = defineResource<t.CustomResourceDefinition>({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
});
