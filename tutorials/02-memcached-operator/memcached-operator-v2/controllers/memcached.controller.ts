import { isDeepStrictEqual } from "node:util";
import { type Deployment, deployments, type Pod, pods } from "@operator-path/client";
import {
  enqueueRequestsFromMapFunc,
  getControllerOf,
  ignoreNotFound,
  labelChanged,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
  setControllerReference,
} from "@operator-path/controller-runtime";
import type { Memcached } from "../api/v1/memcached.types.ts";
import { memcacheds } from "../api/v1/zz_generated.resources.ts";

// What the operator may do: `make manifests` makes config/rbac/role.yaml of it.
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=list;watch
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/status,verbs=update
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch;create;patch;delete
// +kubebuilder:rbac:groups=core,resources=pods,verbs=list;watch

/** Makes the cluster what one Memcached asks for. */
export function createMemcachedReconciler({ client }: Pick<Manager, "client">) {
  return async function reconcile(request: Request, { log }: Pick<ReconcileContext, "log">): Promise<Result> {
    const memcached = await client.get(memcacheds, request).catch(ignoreNotFound);
    // Gone, or going: the garbage collector sees to what it owned.
    if (!memcached || memcached.metadata?.deletionTimestamp) return {};
    const deployment = await client.get(deployments, request).catch(ignoreNotFound);
    if (deployment && getControllerOf(deployment)?.uid !== memcached.metadata?.uid) {
      throw new Error(`there is a Deployment ${request.name} that is not this Memcached's`);
    }
    // Takes back fields that others have changed. An apply that changes nothing writes nothing.
    await client.apply(deploymentFor(memcached), { fieldManager: "memcached-operator", force: true });

    const { namespace, name } = request;
    const found = await client.list(pods, { namespace, labels: labelsFor(name) });
    const nodes = found.map(({ metadata }) => metadata?.name ?? "").sort();
    if (!isDeepStrictEqual(nodes, memcached.status?.nodes)) {
      await client.status.update({ ...memcached, status: { nodes } });
      log.info(`status.nodes has ${nodes.length} names`);
    }
    return {};
  };
}

function deploymentFor(memcached: Memcached): Deployment {
  const { namespace = "", name = "" } = memcached.metadata ?? {};
  const { memory = 64, whenFull } = memcached.spec;
  const onFull = whenFull === "Error" ? ["--disable-evictions"] : [];
  const labels = labelsFor(name);
  const deployment: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: {
      replicas: memcached.spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: "memcached",
              image: "memcached:1.6.39-alpine",
              command: ["memcached", `--memory-limit=${memory}`, ...onFull, "-o", "modern", "-v"],
              ports: [{ name: "memcached", containerPort: 11211 }],
              // So it also runs where a namespace enforces the Pod standard `restricted`.
              securityContext: {
                runAsNonRoot: true,
                runAsUser: 11211,
                allowPrivilegeEscalation: false,
                capabilities: { drop: ["ALL"] },
                seccompProfile: { type: "RuntimeDefault" },
              },
            },
          ],
        },
      },
    },
  };
  return setControllerReference(memcached, deployment);
}

/** The labels of a Memcached's Pods. */
function labelsFor(name: string): Record<string, string> {
  return { app: "memcached", memcached_cr: name };
}

/** The Memcached that a Pod's labels name. */
function memcachedOf({ metadata }: Pod): Request[] {
  const name = metadata?.labels?.memcached_cr;
  return name ? [{ namespace: metadata?.namespace ?? "", name }] : [];
}

/** Says what is watched, and what is done about it. */
export function setupWithManager(manager: Manager): void {
  newControllerManagedBy(manager)
    .for(memcacheds)
    .owns(deployments)
    .watches(pods, enqueueRequestsFromMapFunc(memcachedOf), { predicates: [labelChanged] })
    .complete(createMemcachedReconciler(manager));
}
