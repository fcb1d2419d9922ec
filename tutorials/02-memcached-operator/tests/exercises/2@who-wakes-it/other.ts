import { isDeepStrictEqual } from "node:util";
import { type Deployment, deployments, type Pod, pods } from "@operator-path/client";
import {
  enqueueRequestsFromMapFunc,
  getControllerOf,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
  setControllerReference,
} from "@operator-path/controller-runtime";
import { memcacheds } from "../api/v1alpha1/zz_generated.resources.ts";
import { deploymentFor, labelsFor } from "./deployment.ts";

// The operator's permissions: `make manifests` writes them to config/rbac/role.yaml.
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=list;watch
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/status,verbs=update
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch;create;update
// +kubebuilder:rbac:groups=core,resources=pods,verbs=list;watch

/** Returns the function that brings the cluster closer to what one Memcached asks for. */
export function createMemcachedReconciler({ client }: Pick<Manager, "client">) {
  return async function reconcile(request: Request, { log }: Pick<ReconcileContext, "log">): Promise<Result> {
    const memcached = await client.get(memcacheds, request).catch(ignoreNotFound);
    // The garbage collector deletes what a deleted Memcached owned.
    if (!memcached || memcached.metadata?.deletionTimestamp) return {};
    const { size } = memcached.spec;

    const deployment = await client.get(deployments, request).catch(ignoreNotFound);
    if (!deployment) {
      await client.create(setControllerReference(memcached, deploymentFor(memcached)));
      log.info(`created a Deployment of ${size}`);
      return {};
    }
    if (getControllerOf(deployment)?.uid !== memcached.metadata?.uid) {
      throw new Error(
        `Deployment ${request.name} has another owner or none: delete it, or rename the Memcached`,
      );
    }

    const { spec } = deployment;
    if (spec && spec.replicas !== size) {
      await client.update({ ...deployment, spec: { ...spec, replicas: size } });
      log.info(`scaled the Deployment from ${spec.replicas} to ${size}`);
      return {};
    }

    const { namespace, name } = request;
    const found = await client.list(pods, { namespace, labels: labelsFor(name) });
    const nodes = found.map(({ metadata }) => metadata?.name ?? "").sort();
    if (!isDeepStrictEqual(nodes, memcached.status?.nodes)) {
      await client.status.update({ ...memcached, status: { ...memcached.status, nodes } });
      log.info(`status.nodes has ${nodes.length} names`);
    }
    return {};
  };
}

/** Adds the controller, with everything that it watches, to a manager. */
export function setupWithManager(manager: Manager): void {
  const memcachedOf = ({ metadata }: Deployment | Pod): Request[] =>
    metadata?.labels?.memcached_cr === undefined
      ? []
      : [{ namespace: metadata.namespace ?? "", name: metadata.labels.memcached_cr }];
  const sameName = ({ metadata }: Deployment): Request[] => [
    { namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" },
  ];
  newControllerManagedBy(manager)
    .for(memcacheds)
    .watches(deployments, enqueueRequestsFromMapFunc(sameName))
    .watches(pods, enqueueRequestsFromMapFunc(memcachedOf))
    .complete(createMemcachedReconciler(manager));
}
