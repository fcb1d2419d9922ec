import { defineResource, deployments, type KubeObject, services } from "@operator-path/client";
import {
  asReconciler,
  type Client,
  type Manager,
  newControllerManagedBy,
  objectKeyOf,
  type Reconciler,
  setControllerReference,
} from "@operator-path/controller-runtime";

export interface Site extends KubeObject {
  spec?: { image: string; replicas?: number; greeting?: string };
}

export const sites = defineResource<Site>({
  ...{ group: "web.example.com", version: "v1", kind: "Site", plural: "sites" },
  namespaced: true,
});

/** Do not rename it. Fields that the old name owns would never be removed. */
const fieldManager = "site-operator";

/** Creates the reconciler of Sites. */
export function createSiteReconciler(client: Client): Reconciler {
  return asReconciler(client, sites, async (site) => {
    // A foreground deletion waits until the children are deleted. New ones would hold it up.
    if (site.metadata?.deletionTimestamp) return;
    const { image = "nginx:1.29", replicas, greeting } = site.spec ?? {};
    const key = objectKeyOf(site);
    const labels = { app: key.name };
    const { metadata } = setControllerReference<KubeObject>(site, { metadata: { ...key, labels } });
    const options = { fieldManager, force: true };
    await client.apply(
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata,
        spec: {
          // Without replicas, a HorizontalPodAutoscaler may own the field.
          ...(replicas !== undefined && { replicas }),
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: {
              containers: [
                { name: "web", image, ...(greeting && { env: [{ name: "GREETING", value: greeting }] }) },
              ],
            },
          },
        },
      },
      options,
    );
    await client.apply(
      {
        apiVersion: "v1",
        kind: "Service",
        metadata,
        spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
      },
      options,
    );
  });
}

/** Adds the controller of Sites to the manager. */
export function setupSites(manager: Manager): void {
  newControllerManagedBy(manager)
    .for(sites)
    .owns(deployments)
    .owns(services)
    .complete(createSiteReconciler(manager.client));
}
