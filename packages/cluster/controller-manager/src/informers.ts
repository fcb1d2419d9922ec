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

/** One cache a kind, shared by all controllers. */
export interface Informers {
  configMaps: SharedInformer<ConfigMap>;
  customResourceDefinitions: SharedInformer<CustomResourceDefinition>;
  deployments: SharedInformer<Deployment>;
  namespaces: SharedInformer<Namespace>;
  nodes: SharedInformer<Node>;
  pods: SharedInformer<Pod>;
  replicaSets: SharedInformer<ReplicaSet>;
  serviceAccounts: SharedInformer<ServiceAccount>;
}

export interface InformerOptions {
  clock: Clock;
  random: () => number;
  log: (line: string) => void;
}

/** Finds objects by the uid of their controller, and those without one by "orphans/<namespace>". */
const controllerIndex = "controller";

export function createInformers(client: Client, options: InformerOptions): Informers {
  const informer = <T extends KubeObject>(resource: Resource<T>) =>
    createSharedInformer(client, resource, { ...options, indexers: { [controllerIndex]: controllerKey } });
  return {
    configMaps: informer(configMaps),
    customResourceDefinitions: informer(customResourceDefinitions),
    deployments: informer(deployments),
    namespaces: informer(namespaces),
    nodes: informer(nodes),
    pods: informer(pods),
    replicaSets: informer(replicaSets),
    serviceAccounts: informer(serviceAccounts),
  };
}

/** The same caches with the resources that they hold. */
export function sharedInformers(
  informers: Informers,
): { resource: Resource; informer: SharedInformer<KubeObject> }[] {
  return [
    { resource: configMaps, informer: informers.configMaps },
    { resource: customResourceDefinitions, informer: informers.customResourceDefinitions },
    { resource: deployments, informer: informers.deployments },
    { resource: namespaces, informer: informers.namespaces },
    { resource: nodes, informer: informers.nodes },
    { resource: pods, informer: informers.pods },
    { resource: replicaSets, informer: informers.replicaSets },
    { resource: serviceAccounts, informer: informers.serviceAccounts },
  ];
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
