import { isDeepStrictEqual } from "node:util";
import { deployments, services } from "@operator-path/client";
import {
  addFinalizer,
  containsFinalizer,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
  removeFinalizer,
} from "@operator-path/controller-runtime";
import { ovhNginxes } from "../api/v1/zz_generated.resources.ts";
import { reconcileDeployment } from "./deployment.ts";
import { reconcileService } from "./service.ts";
import { statusFor } from "./status.ts";
import type { Zone } from "./zone.ts";

// The operator's permissions: `make manifests` writes them to config/rbac/role.yaml.
// +kubebuilder:rbac:groups=tutorials.ovhcloud.com,resources=ovhnginxes,verbs=list;watch;update
// +kubebuilder:rbac:groups=tutorials.ovhcloud.com,resources=ovhnginxes/status,verbs=update
// +kubebuilder:rbac:groups=tutorials.ovhcloud.com,resources=ovhnginxes/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch;create;update
// +kubebuilder:rbac:groups=core,resources=services,verbs=list;watch;create;update

/** While an OvhNginx has this finalizer, its name may be in the zone. */
const finalizer = "tutorials.ovhcloud.com/name";

/** Returns the function that brings the cluster and the zone closer to what one OvhNginx asks for. */
export function createOvhNginxReconciler({ client }: Manager, zone: Zone) {
  return async function reconcile(request: Request, { log }: ReconcileContext): Promise<Result> {
    const { namespace, name } = request;
    const ovhNginx = await client.get(ovhNginxes, request).catch(ignoreNotFound);
    if (!ovhNginx) return {};
    if (ovhNginx.metadata?.deletionTimestamp) {
      if (!containsFinalizer(ovhNginx, finalizer)) return {};
      // In the wrong order: if the zone fails, the OvhNginx is gone and the name stays.
      await client.update(removeFinalizer(ovhNginx, finalizer));
      log.info("🧹 Removing the name");
      await zone.remove(`${name}.${namespace}`);
      return {};
    }
    if (!containsFinalizer(ovhNginx, finalizer)) {
      await client.update(addFinalizer(ovhNginx, finalizer));
      return {};
    }

    const deployment = await reconcileDeployment(client, ovhNginx, log);
    const service = await reconcileService(client, ovhNginx, log);
    const status = statusFor(deployment, service);
    if (!isDeepStrictEqual(status, ovhNginx.status)) await client.status.update({ ...ovhNginx, status });
    // Comes after the status: a zone that fails must not keep the status out of date.
    if (status.address) await zone.set(`${name}.${namespace}`, status.address);
    else await zone.remove(`${name}.${namespace}`);
    return {};
  };
}

/** Adds the controller, with everything that it watches, to a manager. */
export function setupWithManager(manager: Manager, zone: Zone): void {
  newControllerManagedBy(manager)
    .for(ovhNginxes)
    .owns(deployments)
    .owns(services)
    .complete(createOvhNginxReconciler(manager, zone));
}
