import { isDeepStrictEqual } from "node:util";
import { deployments, services } from "@operator-path/client";
import {
  addFinalizer,
  containsFinalizer,
  Gauge,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
  removeFinalizer,
  setStatusCondition,
} from "@operator-path/controller-runtime";
import { ovhNginxes } from "../api/v1/zz_generated.resources.ts";
import { reconcileDeployment } from "./deployment.ts";
import { reconcileService } from "./service.ts";
import { statusFor } from "./status.ts";
import type { Zone } from "./zone.ts";

// What the operator may do: `make manifests` makes config/rbac/role.yaml of it.
// +kubebuilder:rbac:groups=tutorials.ovhcloud.com,resources=ovhnginxes,verbs=list;watch;update
// +kubebuilder:rbac:groups=tutorials.ovhcloud.com,resources=ovhnginxes/status,verbs=update
// +kubebuilder:rbac:groups=tutorials.ovhcloud.com,resources=ovhnginxes/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch;create;update
// +kubebuilder:rbac:groups=core,resources=services,verbs=list;watch;create;update

/** While an OvhNginx has it, there may be a name of it in the zone. */
const finalizer = "tutorials.ovhcloud.com/name";

/** Makes the cluster, and the zone, what one OvhNginx asks for. */
export function createOvhNginxReconciler({ client, metrics }: Manager, zone: Zone) {
  const ready = new Gauge({
    name: "ovhnginx_ready_replicas",
    help: "Pods of an OvhNginx that can be asked for the page.",
    labelNames: ["namespace", "name"],
    registers: [metrics],
  });

  return async function reconcile(request: Request, { log }: ReconcileContext): Promise<Result> {
    const { namespace, name } = request;
    const ovhNginx = await client.get(ovhNginxes, request).catch(ignoreNotFound);
    if (!ovhNginx) {
      ready.remove({ namespace, name });
      return {};
    }
    if (ovhNginx.metadata?.deletionTimestamp) {
      if (!containsFinalizer(ovhNginx, finalizer)) return {};
      log.info("🧹 Removing the name");
      await zone.remove(`${name}.${namespace}`);
      await client.update(removeFinalizer(ovhNginx, finalizer));
      return {};
    }
    // Before there is a name: an operator that dies in between would leave one that nobody knows of.
    if (!containsFinalizer(ovhNginx, finalizer)) {
      await client.update(addFinalizer(ovhNginx, finalizer));
      return {};
    }

    const deployment = await reconcileDeployment(client, ovhNginx, log);
    const service = await reconcileService(client, ovhNginx, log);
    const seen = statusFor(deployment, service);
    if (seen.address) await zone.set(`${name}.${namespace}`, seen.address);
    ready.set({ namespace, name }, seen.readyReplicas);

    const isAvailable = seen.readyReplicas >= ovhNginx.spec.replicaCount;
    const conditions = setStatusCondition(ovhNginx.status?.conditions, {
      type: "Available",
      status: isAvailable ? "True" : "False",
      reason: isAvailable ? "AllReady" : "PodsMissing",
      message: `${seen.readyReplicas} of ${ovhNginx.spec.replicaCount} Pods are ready`,
      observedGeneration: ovhNginx.metadata?.generation,
    });
    const status = { ...seen, conditions };
    if (!isDeepStrictEqual(status, ovhNginx.status)) await client.status.update({ ...ovhNginx, status });
    return {};
  };
}

/** Says what is watched, and what is done about it. */
export function setupWithManager(manager: Manager, zone: Zone): void {
  newControllerManagedBy(manager)
    .for(ovhNginxes)
    .owns(deployments)
    .owns(services)
    .complete(createOvhNginxReconciler(manager, zone));
}
