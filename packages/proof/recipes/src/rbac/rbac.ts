import {
  type Deployment,
  deployments,
  exec,
  type PodReference,
  portForward,
  secrets,
} from "@operator-path/client";
import {
  addFinalizer,
  createOrUpdate,
  ignoreNotFound,
  type Manager,
  type ManagerOptions,
  mergeFrom,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  removeFinalizer,
  setControllerReference,
} from "@operator-path/controller-runtime";
import { sites } from "../site.ts";

// Watches fill the cache. Reads of `client` come from it, and need nothing more.
// +kubebuilder:rbac:groups=web.example.com,resources=sites,verbs=list;watch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch
// `apiReader` asks the server, here for the one Secret that the operator may read.
// +kubebuilder:rbac:groups=core,resources=secrets,resourceNames=site-tls,verbs=get
// A finalizer is written into the object itself, and the status into its subresource.
// +kubebuilder:rbac:groups=web.example.com,resources=sites,verbs=patch
// +kubebuilder:rbac:groups=web.example.com,resources=sites/status,verbs=patch
// createOrUpdate, with an owner reference that has blockOwnerDeletion.
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=create;update
// +kubebuilder:rbac:groups=web.example.com,resources=sites/finalizers,verbs=update
// Server-side apply: create is needed when the object does not exist yet.
// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=patch;create
// The first Event of a series is created, and each further one patches it.
// +kubebuilder:rbac:groups=core,resources=events,verbs=create;patch
// The API server checks both verbs for a WebSocket.
// +kubebuilder:rbac:groups=core,resources=pods/exec;pods/portforward,verbs=get;create
// The Lease is in the operator's own namespace, so a Role is enough.
// +kubebuilder:rbac:groups=coordination.k8s.io,namespace=site-system,resources=leases,verbs=get;create;update
// Metrics over HTTPS: the API server says who scrapes, and whether that account may.
// +kubebuilder:rbac:groups=authentication.k8s.io,resources=tokenreviews,verbs=create
// +kubebuilder:rbac:groups=authorization.k8s.io,resources=subjectaccessreviews,verbs=create

const finalizer = "web.example.com/cleanup";

export const managerOptions = {
  leaderElection: { id: "site-operator", namespace: "site-system" },
  metricsServer: { bindAddress: ":8443" },
  client: { fieldOwner: "site-operator" },
} satisfies ManagerOptions;

export function setupSites(manager: Manager, proxy: PodReference): void {
  const { client, apiReader, connection } = manager;
  const events = manager.eventRecorderFor("site-operator");

  async function reconcile(request: Request, { signal }: ReconcileContext): Promise<void> {
    const found = await client.get(sites, request).catch(ignoreNotFound);
    if (!found) return;
    const onlyThisVersion = mergeFrom(found, { optimisticLock: true });
    if (found.metadata?.deletionTimestamp) {
      // Clean up here. Removing the finalizer needs the same verb as adding it.
      await client.patch(removeFinalizer(found, finalizer), onlyThisVersion);
      return;
    }
    const site = await client.patch(addFinalizer(found, finalizer), onlyThisVersion);

    const { namespace } = request;
    const tls = await apiReader.get(secrets, { namespace, name: "site-tls" });
    const certificate = tls.data?.["tls.crt"] ?? "";
    const settings = { namespace, name: `${request.name}-settings` };
    await client.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: settings, data: { certificate } });
    const { object } = await createOrUpdate(client, deploymentOf(request), (deployment) => {
      if (deployment.spec) deployment.spec.replicas = site.spec?.replicas;
      return setControllerReference(site, deployment);
    });

    await exec(connection, proxy, ["true"], { signal });
    const forwarding = await portForward(connection, proxy, [80], { signal });
    await forwarding.close();

    const status = { readyReplicas: object.status?.readyReplicas ?? 0 };
    await client.status.patch({ ...site, status }, mergeFrom(site));
    events.event(site, "Normal", "Reconciled", "The site is as it should be");
  }

  newControllerManagedBy(manager).for(sites).owns(deployments).complete(reconcile);
}

function deploymentOf({ namespace, name }: Request): Deployment {
  const labels = { app: name };
  const spec = { containers: [{ name: "web", image: "nginx:1.29" }] };
  return {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}
