import {
  type ClusterRole,
  type ControllerRevision,
  type CronJob,
  defineResource,
  type EndpointSlice,
  type Endpoints,
  type Job,
  type KubeObject,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type PodDisruptionBudget,
  type Resource,
  type StorageClass,
} from "@operator-path/client";

// Built-in resources that the client does not define, because little besides these controllers uses them.

const core = { group: "", version: "v1", namespaced: true };
export const endpoints: Resource<Endpoints> = defineResource({
  ...core,
  kind: "Endpoints",
  plural: "endpoints",
});
export const persistentVolumeClaims: Resource<PersistentVolumeClaim> = defineResource({
  ...core,
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
});
export const persistentVolumes: Resource<PersistentVolume> = defineResource({
  ...core,
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  namespaced: false,
});

/** core/v1 ResourceQuota, with the fields that are counted here. */
export interface ResourceQuota extends KubeObject {
  spec?: { hard?: Record<string, string> };
  status?: { hard?: Record<string, string>; used?: Record<string, string> };
}
export const resourceQuotas: Resource<ResourceQuota> = defineResource({
  ...core,
  kind: "ResourceQuota",
  plural: "resourcequotas",
});

export const clusterRoles: Resource<ClusterRole> = defineResource({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  plural: "clusterroles",
  namespaced: false,
});

export const endpointSlices: Resource<EndpointSlice> = defineResource({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  plural: "endpointslices",
  namespaced: true,
});

export const controllerRevisions: Resource<ControllerRevision> = defineResource({
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  plural: "controllerrevisions",
  namespaced: true,
});

const batch = { group: "batch", version: "v1", namespaced: true };
export const jobs: Resource<Job> = defineResource({ ...batch, kind: "Job", plural: "jobs" });
export const cronJobs: Resource<CronJob> = defineResource({ ...batch, kind: "CronJob", plural: "cronjobs" });

export const podDisruptionBudgets: Resource<PodDisruptionBudget> = defineResource({
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
  namespaced: true,
});

export const storageClasses: Resource<StorageClass> = defineResource({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  plural: "storageclasses",
  namespaced: false,
});
