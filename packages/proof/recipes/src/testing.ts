import { type Deployment, deployments } from "@operator-path/client";
import {
  type Client,
  createOrUpdate,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type ReconcileFunction,
  setControllerReference,
} from "@operator-path/controller-runtime";
import { type Site, sites } from "./site.ts";

/** Returns the reconciler. It takes a client, so that a test can bring its own. */
export function createSiteReconciler(client: Client): ReconcileFunction {
  return async (request) => {
    const site = await client.get(sites, request).catch(ignoreNotFound);
    if (!site) return;
    const { object } = await createOrUpdate(client, deploymentFor(site), (deployment) => {
      if (deployment.spec) deployment.spec.replicas = site.spec?.replicas ?? 1;
      return setControllerReference(site, deployment);
    });
    const readyReplicas = object.status?.readyReplicas ?? 0;
    if (site.status?.readyReplicas === readyReplicas) return;
    await client.status.update({ ...site, status: { readyReplicas } });
  };
}

export function setupWithManager(manager: Manager): void {
  newControllerManagedBy(manager).for(sites).owns(deployments).complete(createSiteReconciler(manager.client));
}

function deploymentFor({ metadata: { namespace, name = "" } = {} }: Site): Deployment {
  const labels = { app: name };
  const spec = { containers: [{ name: "web", image: "nginx:1.29" }] };
  return {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}
