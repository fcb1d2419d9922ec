import type * as t from "./generated/kubernetes-types.ts";
import { defineResource, type Resource } from "./resource.ts";

// The built-in resources that controllers use most. `defineResource` makes any other.

const core = { group: "", version: "v1", namespaced: true };
/** Pods of v1. */
export const pods: Resource<t.Pod> = defineResource({ ...core, kind: "Pod", plural: "pods" });
/** Services of v1. */
export const services: Resource<t.Service> = defineResource({ ...core, kind: "Service", plural: "services" });
/** ConfigMaps of v1. */
export const configMaps: Resource<t.ConfigMap> = defineResource({
  ...core,
  kind: "ConfigMap",
  plural: "configmaps",
});
/** Secrets of v1. */
export const secrets: Resource<t.Secret> = defineResource({ ...core, kind: "Secret", plural: "secrets" });
/** ServiceAccounts of v1. */
export const serviceAccounts: Resource<t.ServiceAccount> = defineResource({
  ...core,
  kind: "ServiceAccount",
  plural: "serviceaccounts",
});
/** Events of v1. */
export const events: Resource<t.Event> = defineResource({ ...core, kind: "Event", plural: "events" });
/** Namespaces of v1. Cluster-scoped. */
export const namespaces: Resource<t.Namespace> = defineResource({
  ...core,
  kind: "Namespace",
  plural: "namespaces",
  namespaced: false,
});
/** Nodes of v1. Cluster-scoped. */
export const nodes: Resource<t.Node> = defineResource({
  ...core,
  kind: "Node",
  plural: "nodes",
  namespaced: false,
});

const apps = { group: "apps", version: "v1", namespaced: true };
/** Deployments of apps/v1. */
export const deployments: Resource<t.Deployment> = defineResource({
  ...apps,
  kind: "Deployment",
  plural: "deployments",
});
/** ReplicaSets of apps/v1. */
export const replicaSets: Resource<t.ReplicaSet> = defineResource({
  ...apps,
  kind: "ReplicaSet",
  plural: "replicasets",
});
/** StatefulSets of apps/v1. */
export const statefulSets: Resource<t.StatefulSet> = defineResource({
  ...apps,
  kind: "StatefulSet",
  plural: "statefulsets",
});
/** DaemonSets of apps/v1. */
export const daemonSets: Resource<t.DaemonSet> = defineResource({
  ...apps,
  kind: "DaemonSet",
  plural: "daemonsets",
});

/** Leases of coordination.k8s.io/v1. */
export const leases: Resource<t.Lease> = defineResource({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  namespaced: true,
});

/** CustomResourceDefinitions of apiextensions.k8s.io/v1. Cluster-scoped. */
export const customResourceDefinitions: Resource<t.CustomResourceDefinition> = defineResource({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
});

/** PersistentVolumeClaims of v1. */
export const persistentVolumeClaims: Resource<t.PersistentVolumeClaim> = defineResource({
  ...core,
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
});
/** PersistentVolumes of v1. Cluster-scoped. */
export const persistentVolumes: Resource<t.PersistentVolume> = defineResource({
  ...core,
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  namespaced: false,
});
/** ResourceQuotas of v1. */
export const resourceQuotas: Resource<t.ResourceQuota> = defineResource({
  ...core,
  kind: "ResourceQuota",
  plural: "resourcequotas",
});

const batch = { group: "batch", version: "v1" };
/** Jobs of batch/v1. */
export const jobs: Resource<t.Job> = defineResource({
  ...batch,
  kind: "Job",
  plural: "jobs",
  namespaced: true,
});
/** CronJobs of batch/v1. */
export const cronJobs: Resource<t.CronJob> = defineResource({
  ...batch,
  kind: "CronJob",
  plural: "cronjobs",
  namespaced: true,
});

const networking = { group: "networking.k8s.io", version: "v1" };
/** Ingresses of networking.k8s.io/v1. */
export const ingresses: Resource<t.Ingress> = defineResource({
  ...networking,
  kind: "Ingress",
  plural: "ingresses",
  namespaced: true,
});
/** NetworkPolicies of networking.k8s.io/v1. */
export const networkPolicies: Resource<t.NetworkPolicy> = defineResource({
  ...networking,
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  namespaced: true,
});

const discovery = { group: "discovery.k8s.io", version: "v1" };
/** EndpointSlices of discovery.k8s.io/v1. */
export const endpointSlices: Resource<t.EndpointSlice> = defineResource({
  ...discovery,
  kind: "EndpointSlice",
  plural: "endpointslices",
  namespaced: true,
});

const policy = { group: "policy", version: "v1" };
/** PodDisruptionBudgets of policy/v1. */
export const podDisruptionBudgets: Resource<t.PodDisruptionBudget> = defineResource({
  ...policy,
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
  namespaced: true,
});

const autoscaling = { group: "autoscaling", version: "v2" };
/** HorizontalPodAutoscalers of autoscaling/v2. */
export const horizontalPodAutoscalers: Resource<t.HorizontalPodAutoscaler> = defineResource({
  ...autoscaling,
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  namespaced: true,
});

const storage = { group: "storage.k8s.io", version: "v1" };
/** StorageClasses of storage.k8s.io/v1. Cluster-scoped. */
export const storageClasses: Resource<t.StorageClass> = defineResource({
  ...storage,
  kind: "StorageClass",
  plural: "storageclasses",
  namespaced: false,
});

const rbac = { group: "rbac.authorization.k8s.io", version: "v1" };
/** Roles of rbac.authorization.k8s.io/v1. */
export const roles: Resource<t.Role> = defineResource({
  ...rbac,
  kind: "Role",
  plural: "roles",
  namespaced: true,
});
/** RoleBindings of rbac.authorization.k8s.io/v1. */
export const roleBindings: Resource<t.RoleBinding> = defineResource({
  ...rbac,
  kind: "RoleBinding",
  plural: "rolebindings",
  namespaced: true,
});
/** ClusterRoles of rbac.authorization.k8s.io/v1. Cluster-scoped. */
export const clusterRoles: Resource<t.ClusterRole> = defineResource({
  ...rbac,
  kind: "ClusterRole",
  plural: "clusterroles",
  namespaced: false,
});
/** ClusterRoleBindings of rbac.authorization.k8s.io/v1. Cluster-scoped. */
export const clusterRoleBindings: Resource<t.ClusterRoleBinding> = defineResource({
  ...rbac,
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
});

const admission = { group: "admissionregistration.k8s.io", version: "v1" };
/** ValidatingWebhookConfigurations of admissionregistration.k8s.io/v1. Cluster-scoped. */
export const validatingWebhookConfigurations: Resource<t.ValidatingWebhookConfiguration> = defineResource({
  ...admission,
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  namespaced: false,
});
/** MutatingWebhookConfigurations of admissionregistration.k8s.io/v1. Cluster-scoped. */
export const mutatingWebhookConfigurations: Resource<t.MutatingWebhookConfiguration> = defineResource({
  ...admission,
  kind: "MutatingWebhookConfiguration",
  plural: "mutatingwebhookconfigurations",
  namespaced: false,
});
