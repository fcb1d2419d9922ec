import {
  type Client,
  type Clock,
  type ConfigMap,
  type CustomResourceDefinition,
  configMaps,
  customResourceDefinitions,
  type Deployment,
  deployments,
  type KubeObject,
  type Namespace,
  type Node,
  namespaces,
  nodes,
  type Pod,
  pods,
  type ReplicaSet,
  type Resource,
  replicaSets,
  type ServiceAccount,
  serviceAccounts,
} from "@operator-path/client";
import { createSharedInformer, type SharedInformer } from "@operator-path/informers";
import { namespaceOf, uidOf } from "./objects.ts";
import { controllerOf } from "./ownership.ts";

/**
 * One cache a kind, shared by all controllers. Ask while a controller is created: what nobody has asked for by then is not
 * watched.
 */
export interface Informers {
  readonly configMaps: SharedInformer<ConfigMap>;
  readonly customResourceDefinitions: SharedInformer<CustomResourceDefinition>;
  readonly deployments: SharedInformer<Deployment>;
  readonly namespaces: SharedInformer<Namespace>;
  readonly nodes: SharedInformer<Node>;
  readonly pods: SharedInformer<Pod>;
  readonly replicaSets: SharedInformer<ReplicaSet>;
  readonly serviceAccounts: SharedInformer<ServiceAccount>;
  /** Those that somebody has asked for, with what they hold. */
  inUse(): SharedCache[];
}

export interface SharedCache {
  resource: Resource;
  informer: SharedInformer<KubeObject>;
}

export interface InformerOptions {
  clock: Clock;
  random: () => number;
  log: (line: string) => void;
}

/** Finds objects by the uid of their controller, and those without one by "orphans/<namespace>". */
const controllerIndex = "controller";

export function createInformers(client: Client, options: InformerOptions): Informers {
  const made = new Map<Resource, SharedCache>();

  return {
    get configMaps() {
      return informer(configMaps);
    },
    get customResourceDefinitions() {
      return informer(customResourceDefinitions);
    },
    get deployments() {
      return informer(deployments);
    },
    get namespaces() {
      return informer(namespaces);
    },
    get nodes() {
      return informer(nodes);
    },
    get pods() {
      return informer(pods);
    },
    get replicaSets() {
      return informer(replicaSets);
    },
    get serviceAccounts() {
      return informer(serviceAccounts);
    },
    inUse: () => [...made.values()],
  };

  function informer<T extends KubeObject>(resource: Resource<T>): SharedInformer<T> {
    // The map forgets the type of the objects, and the key, the resource that carries it, remembers.
    const known = made.get(resource)?.informer as SharedInformer<T> | undefined;
    if (known !== undefined) return known;
    const indexers = { [controllerIndex]: controllerKey };
    const created = createSharedInformer(client, resource, { ...options, indexers });
    made.set(resource, { resource, informer: created as unknown as SharedInformer<KubeObject> });
    return created;
  }
}

/** The objects that `owner` is the controller of. */
export function ownedBy<T extends KubeObject>(informer: SharedInformer<T>, owner: KubeObject): T[] {
  return informer.indexer.byIndex(controllerIndex, uidOf(owner));
}

/** The objects that `owner` is the controller of, and those of its namespace that have none. */
export function ownedOrOrphaned<T extends KubeObject>(informer: SharedInformer<T>, owner: KubeObject): T[] {
  const orphans = informer.indexer.byIndex(controllerIndex, `orphans/${namespaceOf(owner)}`);
  return [...ownedBy(informer, owner), ...orphans];
}

function controllerKey(object: KubeObject): string[] {
  return [controllerOf(object)?.uid ?? `orphans/${namespaceOf(object)}`];
}
