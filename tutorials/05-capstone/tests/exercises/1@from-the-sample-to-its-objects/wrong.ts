import { configMaps, deployments } from "@operator-path/client";
import {
  generationChanged,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type Request,
  type Result,
  setControllerReference,
} from "@operator-path/controller-runtime";
import { websites } from "../api/v1/zz_generated.resources.ts";
import { configMapFor, deploymentFor } from "./objects.ts";

// The operator's permissions: `make manifests` writes them to config/rbac/role.yaml.
// +kubebuilder:rbac:groups=web.example.com,resources=websites,verbs=get;list;watch

const applied = { fieldManager: "website-operator", force: true };

/** Returns the function that brings the cluster closer to what one Website asks for. */
export function createWebsiteReconciler({ client }: Pick<Manager, "client">) {
  return async function reconcile(request: Request): Promise<Result> {
    const website = await client.get(websites, request).catch(ignoreNotFound);
    if (!website || website.metadata?.deletionTimestamp) return {};
    await client.apply(setControllerReference(website, configMapFor(website)), applied);
    await client.apply(setControllerReference(website, deploymentFor(website)), applied);
    return {};
  };
}

/** Adds the controller, with everything that it watches, to a manager. */
export function setupWithManager(manager: Manager): void {
  newControllerManagedBy(manager)
    .for(websites, { predicates: [generationChanged] })
    .complete(createWebsiteReconciler(manager));
}
