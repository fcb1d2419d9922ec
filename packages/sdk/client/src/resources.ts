import type * as t from "./generated/kubernetes-types.ts";
import { defineResource, type Resource } from "./resource.ts";

// The built-in resources that controllers meet most. `defineResource` makes any other.

const core = { group: "", version: "v1", namespaced: true };
export const pods: Resource<t.Pod> = defineResource({ ...core, kind: "Pod", plural: "pods" });
export const services: Resource<t.Service> = defineResource({ ...core, kind: "Service", plural: "services" });
export const configMaps: Resource<t.ConfigMap> = defineResource({
  ...core,
  kind: "ConfigMap",
  plural: "configmaps",
});
export const secrets: Resource<t.Secret> = defineResource({ ...core, kind: "Secret", plural: "secrets" });
export const serviceAccounts: Resource<t.ServiceAccount> = defineResource({
  ...core,
  kind: "ServiceAccount",
  plural: "serviceaccounts",
});
export const events: Resource<t.Event> = defineResource({ ...core, kind: "Event", plural: "events" });
export const namespaces: Resource<t.Namespace> = defineResource({
  ...core,
  kind: "Namespace",
  plural: "namespaces",
  namespaced: false,
});
export const nodes: Resource<t.Node> = defineResource({
  ...core,
  kind: "Node",
  plural: "nodes",
  namespaced: false,
});

const apps = { group: "apps", version: "v1", namespaced: true };
export const deployments: Resource<t.Deployment> = defineResource({
  ...apps,
  kind: "Deployment",
  plural: "deployments",
});
export const replicaSets: Resource<t.ReplicaSet> = defineResource({
  ...apps,
  kind: "ReplicaSet",
  plural: "replicasets",
});
export const statefulSets: Resource<t.StatefulSet> = defineResource({
  ...apps,
  kind: "StatefulSet",
  plural: "statefulsets",
});
export const daemonSets: Resource<t.DaemonSet> = defineResource({
  ...apps,
  kind: "DaemonSet",
  plural: "daemonsets",
});

export const leases: Resource<t.Lease> = defineResource({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  namespaced: true,
});

export const customResourceDefinitions: Resource<t.CustomResourceDefinition> = defineResource({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
});

export const persistentVolumeClaims: Resource<t.PersistentVolumeClaim> = defineResource({
  ...core,
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
});
export const persistentVolumes: Resource<t.PersistentVolume> = defineResource({
  ...core,
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  namespaced: false,
});
export const resourceQuotas: Resource<t.ResourceQuota> = defineResource({
  ...core,
  kind: "ResourceQuota",
  plural: "resourcequotas",
});

const batch = { group: "batch", version: "v1" };
export const jobs: Resource<t.Job> = defineResource({
  ...batch,
  kind: "Job",
  plural: "jobs",
  namespaced: true,
});
export const cronJobs: Resource<t.CronJob> = defineResource({
  ...batch,
  kind: "CronJob",
  plural: "cronjobs",
  namespaced: true,
});

const networking = { group: "networking.k8s.io", version: "v1" };
export const ingresses: Resource<t.Ingress> = defineResource({
  ...networking,
  kind: "Ingress",
  plural: "ingresses",
  namespaced: true,
});
export const networkPolicies: Resource<t.NetworkPolicy> = defineResource({
  ...networking,
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  namespaced: true,
});

const discovery = { group: "discovery.k8s.io", version: "v1" };
export const endpointSlices: Resource<t.EndpointSlice> = defineResource({
  ...discovery,
  kind: "EndpointSlice",
  plural: "endpointslices",
  namespaced: true,
});

const policy = { group: "policy", version: "v1" };
export const podDisruptionBudgets: Resource<t.PodDisruptionBudget> = defineResource({
  ...policy,
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
  namespaced: true,
});

const autoscaling = { group: "autoscaling", version: "v2" };
export const horizontalPodAutoscalers: Resource<t.HorizontalPodAutoscaler> = defineResource({
  ...autoscaling,
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  namespaced: true,
});

const storage = { group: "storage.k8s.io", version: "v1" };
export const storageClasses: Resource<t.StorageClass> = defineResource({
  ...storage,
  kind: "StorageClass",
  plural: "storageclasses",
  namespaced: false,
});

const rbac = { group: "rbac.authorization.k8s.io", version: "v1" };
export const roles: Resource<t.Role> = defineResource({
  ...rbac,
  kind: "Role",
  plural: "roles",
  namespaced: true,
});
export const roleBindings: Resource<t.RoleBinding> = defineResource({
  ...rbac,
  kind: "RoleBinding",
  plural: "rolebindings",
  namespaced: true,
});
export const clusterRoles: Resource<t.ClusterRole> = defineResource({
  ...rbac,
  kind: "ClusterRole",
  plural: "clusterroles",
  namespaced: false,
});
export const clusterRoleBindings: Resource<t.ClusterRoleBinding> = defineResource({
  ...rbac,
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
});

const admission = { group: "admissionregistration.k8s.io", version: "v1" };
export const validatingWebhookConfigurations: Resource<t.ValidatingWebhookConfiguration> = defineResource({
  ...admission,
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  namespaced: false,
});
export const mutatingWebhookConfigurations: Resource<t.MutatingWebhookConfiguration> = defineResource({
  ...admission,
  kind: "MutatingWebhookConfiguration",
  plural: "mutatingwebhookconfigurations",
  namespaced: false,
});
