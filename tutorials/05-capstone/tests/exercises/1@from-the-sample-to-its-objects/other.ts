import { type ConfigMap, configMaps, type Deployment, deployments } from "@operator-path/client";
import {
  type Client,
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

/** Reads, then creates or updates. */
export function createWebsiteReconciler({ client }: { client: Client }) {
  return async function reconcile(request: Request): Promise<Result> {
    const website = await client.get(websites, request).catch(ignoreNotFound);
    if (!website || website.metadata?.deletionTimestamp) return {};
    const page: ConfigMap = setControllerReference(website, configMapFor(website));
    const foundPage = await client.get(configMaps, request).catch(ignoreNotFound);
    if (!foundPage) await client.create(page);
    else if (foundPage.data?.["index.html"] !== website.spec.text)
      await client.update({ ...foundPage, data: page.data });
    const server: Deployment = setControllerReference(website, deploymentFor(website));
    const foundServer = await client.get(deployments, request).catch(ignoreNotFound);
    if (!foundServer) await client.create(server);
    else if (foundServer.spec?.replicas !== website.spec.replicas)
      await client.update({ ...foundServer, spec: { ...foundServer.spec!, replicas: website.spec.replicas } });
    return {};
  };
}

export function setupWithManager(manager: Manager): void {
  newControllerManagedBy(manager)
    .for(websites)
    .owns(configMaps)
    .owns(deployments)
    .complete(createWebsiteReconciler(manager));
}
