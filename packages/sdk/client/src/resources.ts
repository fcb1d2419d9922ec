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

export const persistentVolumeClaims = defineResource<t.PersistentVolumeClaim>({
  ...core,
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
});
export const persistentVolumes = defineResource<t.PersistentVolume>({
  ...core,
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  namespaced: false,
});
export const resourceQuotas = defineResource<t.ResourceQuota>({
  ...core,
  kind: "ResourceQuota",
  plural: "resourcequotas",
});

const batch = { group: "batch", version: "v1" };
export const jobs = defineResource<t.Job>({ ...batch, kind: "Job", plural: "jobs", namespaced: true });
export const cronJobs = defineResource<t.CronJob>({
  ...batch,
  kind: "CronJob",
  plural: "cronjobs",
  namespaced: true,
});

const networking = { group: "networking.k8s.io", version: "v1" };
export const ingresses = defineResource<t.Ingress>({
  ...networking,
  kind: "Ingress",
  plural: "ingresses",
  namespaced: true,
});
export const networkPolicies = defineResource<t.NetworkPolicy>({
  ...networking,
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  namespaced: true,
});

const discovery = { group: "discovery.k8s.io", version: "v1" };
export const endpointSlices = defineResource<t.EndpointSlice>({
  ...discovery,
  kind: "EndpointSlice",
  plural: "endpointslices",
  namespaced: true,
});

const policy = { group: "policy", version: "v1" };
export const podDisruptionBudgets = defineResource<t.PodDisruptionBudget>({
  ...policy,
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
  namespaced: true,
});

const autoscaling = { group: "autoscaling", version: "v2" };
export const horizontalPodAutoscalers = defineResource<t.HorizontalPodAutoscaler>({
  ...autoscaling,
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  namespaced: true,
});

const storage = { group: "storage.k8s.io", version: "v1" };
export const storageClasses = defineResource<t.StorageClass>({
  ...storage,
  kind: "StorageClass",
  plural: "storageclasses",
  namespaced: false,
});

const rbac = { group: "rbac.authorization.k8s.io", version: "v1" };
export const roles = defineResource<t.Role>({ ...rbac, kind: "Role", plural: "roles", namespaced: true });
export const roleBindings = defineResource<t.RoleBinding>({
  ...rbac,
  kind: "RoleBinding",
  plural: "rolebindings",
  namespaced: true,
});
export const clusterRoles = defineResource<t.ClusterRole>({
  ...rbac,
  kind: "ClusterRole",
  plural: "clusterroles",
  namespaced: false,
});
export const clusterRoleBindings = defineResource<t.ClusterRoleBinding>({
  ...rbac,
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
});

const admission = { group: "admissionregistration.k8s.io", version: "v1" };
export const validatingWebhookConfigurations = defineResource<t.ValidatingWebhookConfiguration>({
  ...admission,
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  namespaced: false,
});
export const mutatingWebhookConfigurations = defineResource<t.MutatingWebhookConfiguration>({
  ...admission,
  kind: "MutatingWebhookConfiguration",
  plural: "mutatingwebhookconfigurations",
  namespaced: false,
});
