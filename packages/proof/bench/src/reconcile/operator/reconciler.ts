import { type Deployment, type ObjectMeta, pods, type Service } from "@operator-path/client";
import {
  type Client,
  createOrUpdate,
  ignoreNotFound,
  type Reconciler,
  setControllerReference,
} from "@operator-path/controller-runtime";
import { memcacheds } from "./memcached.ts";
import type { Progress } from "./progress.ts";

/**
 * Owns a Deployment and a headless Service, lists Pods from the cache, writes the status. Like
 * peers/controller-runtime, line by line.
 */
export function memcachedReconciler(client: Client, progress: Progress): Reconciler["reconcile"] {
  return async (request, { cause }) => {
    progress.reconciled(cause.queuedFor);
    const memcached = await client.get(memcacheds, request).catch(ignoreNotFound);
    if (!memcached) return;
    const size = memcached.spec?.size ?? 0;
    const labels = { app: request.name };

    const deployment = await createOrUpdate(client, deploymentOf(request, labels), (current) => {
      current.spec = { ...(current.spec as NonNullable<Deployment["spec"]>), replicas: size };
      return setControllerReference(memcached, current);
    });
    progress.operation(deployment.result);

    const service = await createOrUpdate(client, serviceOf(request), (current) => {
      current.spec = { ...current.spec, selector: labels };
      return setControllerReference(memcached, current);
    });
    progress.operation(service.result);

    const mine = await client.list(pods, { namespace: request.namespace, labels });
    const nodes = mine.map(({ metadata }) => metadata?.name ?? "");
    const observedGeneration = memcached.metadata?.generation;
    const { nodes: before = [], observedGeneration: seen } = memcached.status ?? {};
    if (seen === observedGeneration && before.join() === nodes.join()) return;
    await client.status.update({
      ...memcached,
      status: { nodes, ...(observedGeneration === undefined ? {} : { observedGeneration }) },
    });
    progress.finished(`${request.namespace}/${request.name}`);
  };
}

function deploymentOf(key: ObjectMeta, labels: Record<string, string>): Deployment {
  const ports = [{ name: "memcached", containerPort: 11211 }];
  return {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { ...key } },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "memcached", image: "memcached:1.6", ports }] },
      },
    },
  };
}

function serviceOf(key: ObjectMeta): Service {
  return {
    ...{ apiVersion: "v1", kind: "Service", metadata: { ...key } },
    spec: { clusterIP: "None", ports: [{ name: "memcached", port: 11211 }] },
  };
}
