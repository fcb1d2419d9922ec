import { configMaps, deployments, type KubeObject } from "@operator-path/client";
import {
  generationChanged,
  getControllerOf,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type Request,
  type Result,
  setControllerReference,
} from "@operator-path/controller-runtime";
import { websites } from "../api/v1/zz_generated.resources.ts";
import { configMapFor, deploymentFor } from "./objects.ts";
import { reportStatus } from "./status.ts";

// The operator's permissions: `make manifests` writes them to config/rbac/role.yaml.
// +kubebuilder:rbac:groups=web.example.com,resources=websites,verbs=list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/status,verbs=update
// +kubebuilder:rbac:groups=web.example.com,resources=websites/finalizers,verbs=update
// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=list;watch;create;patch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch;create;patch

const applied = { fieldManager: "website-operator", force: true };

/** Returns the function that brings the cluster closer to what one Website asks for. */
export function createWebsiteReconciler({ client }: Pick<Manager, "client">) {
  return async function reconcile(request: Request): Promise<Result> {
    const website = await client.get(websites, request).catch(ignoreNotFound);
    if (!website || website.metadata?.deletionTimestamp) return {};
    // A forced apply would also take over an object that is not the Website's.
    for (const resource of [configMaps, deployments]) {
      const found = await client.get<KubeObject>(resource, request).catch(ignoreNotFound);
      if (found && getControllerOf(found)?.uid !== website.metadata?.uid)
        throw new Error(
          `${resource.kind} ${request.name} is not the Website's: delete it, or rename the Website`,
        );
    }
    await client.apply(setControllerReference(website, configMapFor(website)), applied);
    const deployment = await client.apply(setControllerReference(website, deploymentFor(website)), applied);
    await reportStatus(client, website, deployment);
    return {};
  };
}

/** Adds the controller, with everything that it watches, to a manager. */
export function setupWithManager(manager: Manager): void {
  newControllerManagedBy(manager)
    .for(websites, { predicates: [generationChanged] })
    .owns(configMaps)
    .owns(deployments)
    .complete(createWebsiteReconciler(manager));
}
