import {
  type Client,
  type Clock,
  type ClusterRole,
  type ConfigMap,
  type ControllerRevision,
  type CronJob,
  type CustomResourceDefinition,
  configMaps,
  customResourceDefinitions,
  type DaemonSet,
  type Deployment,
  daemonSets,
  deployments,
  type EndpointSlice,
  type Endpoints,
  type Job,
  type KubeObject,
  type Namespace,
  type Node,
  namespaces,
  nodes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type PodDisruptionBudget,
  pods,
  type ReplicaSet,
  type Resource,
  replicaSets,
  type Secret,
  type Service,
  type ServiceAccount,
  type StatefulSet,
  type StorageClass,
  secrets,
  serviceAccounts,
  services,
  statefulSets,
} from "@operator-path/client";
import { createSharedInformer, type SharedInformer } from "@operator-path/informers";
import { namespaceOf, uidOf } from "./objects.ts";
import { controllerOf } from "./ownership.ts";
import {
  clusterRoles,
  controllerRevisions,
  cronJobs,
  endpointSlices,
  endpoints,
  jobs,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  type ResourceQuota,
  resourceQuotas,
  storageClasses,
} from "./resources.ts";

interface CachedObjects {
  clusterRoles: ClusterRole;
  configMaps: ConfigMap;
  controllerRevisions: ControllerRevision;
  cronJobs: CronJob;
  customResourceDefinitions: CustomResourceDefinition;
  daemonSets: DaemonSet;
  deployments: Deployment;
  endpoints: Endpoints;
  endpointSlices: EndpointSlice;
  jobs: Job;
  namespaces: Namespace;
  nodes: Node;
  persistentVolumeClaims: PersistentVolumeClaim;
  persistentVolumes: PersistentVolume;
  podDisruptionBudgets: PodDisruptionBudget;
  pods: Pod;
  replicaSets: ReplicaSet;
  resourceQuotas: ResourceQuota;
  secrets: Secret;
  serviceAccounts: ServiceAccount;
  services: Service;
  statefulSets: StatefulSet;
  storageClasses: StorageClass;
}

const cached: { readonly [Name in keyof CachedObjects]: Resource<CachedObjects[Name]> } = {
  clusterRoles,
  configMaps,
  controllerRevisions,
  cronJobs,
  customResourceDefinitions,
  daemonSets,
  deployments,
  endpoints,
  endpointSlices,
  jobs,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  replicaSets,
  resourceQuotas,
  secrets,
  serviceAccounts,
  services,
  statefulSets,
  storageClasses,
};

/**
 * One cache per kind, shared by all controllers. Read the properties while the controllers are created: only
 * the kinds read by then are watched.
 */
export type Informers = {
  readonly [Name in keyof CachedObjects]: SharedInformer<CachedObjects[Name]>;
} & {
  /** The informers that were read. */
  inUse(): SharedCache[];
};

export interface SharedCache {
  resource: Resource;
  informer: SharedInformer<KubeObject>;
}

export interface InformerOptions {
  clock: Clock;
  random: () => number;
  log: (line: string) => void;
}

/** Indexes objects by the uid of their controller. Objects without one are under "orphans/<namespace>". */
const controllerIndex = "controller";

export function createInformers(client: Client, options: InformerOptions): Informers {
  const made = new Map<Resource, SharedCache>();

  const informers = { inUse: () => [...made.values()] };
  for (const [name, resource] of Object.entries(cached)) {
    Object.defineProperty(informers, name, { get: () => informer<KubeObject>(resource as Resource) });
  }
  return informers as Informers;

  function informer<T extends KubeObject>(resource: Resource<T>): SharedInformer<T> {
    // The map loses the object type, which its key, the resource, carries.
    const known = made.get(resource)?.informer as SharedInformer<T> | undefined;
    if (known !== undefined) return known;
    const indexers = { [controllerIndex]: controllerKey };
    const created = createSharedInformer(client, resource, { ...options, indexers });
    made.set(resource, { resource, informer: created as unknown as SharedInformer<KubeObject> });
    return created;
  }
}

/** Returns the objects that `owner` controls. */
export function ownedBy<T extends KubeObject>(informer: SharedInformer<T>, owner: KubeObject): T[] {
  return informer.indexer.byIndex(controllerIndex, uidOf(owner));
}

/** Returns the objects that `owner` controls, and those of its namespace without a controller. */
export function ownedOrOrphaned<T extends KubeObject>(informer: SharedInformer<T>, owner: KubeObject): T[] {
  const orphans = informer.indexer.byIndex(controllerIndex, `orphans/${namespaceOf(owner)}`);
  return [...ownedBy(informer, owner), ...orphans];
}

function controllerKey(object: KubeObject): string[] {
  return [controllerOf(object)?.uid ?? `orphans/${namespaceOf(object)}`];
}
