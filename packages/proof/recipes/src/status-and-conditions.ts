import { isDeepStrictEqual } from "node:util";
import {
  type Condition,
  type Deployment,
  defineResource,
  deployments,
  type KubeObject,
} from "@operator-path/client";
import {
  asReconciler,
  type Client,
  type Manager,
  type NewCondition,
  newControllerManagedBy,
  objectKeyOf,
  type Reconciler,
  setControllerReference,
  setStatusCondition,
} from "@operator-path/controller-runtime";

export interface App extends KubeObject {
  spec?: { image: string; replicas?: number };
  status?: AppStatus;
}

interface AppStatus {
  readyReplicas?: number;
  conditions?: Condition[];
}

export const apps = defineResource<App>({
  ...{ group: "apps.example.com", version: "v1", kind: "App", plural: "apps" },
  namespaced: true,
});

/** Creates the reconciler of Apps. */
export function createAppReconciler(client: Client): Reconciler {
  return asReconciler(client, apps, async (app) => {
    if (app.metadata?.deletionTimestamp) return;
    let ready: NewCondition;
    let readyReplicas = app.status?.readyReplicas ?? 0;
    let failure: { error: unknown } | undefined;
    try {
      const deployment = await client.apply(deploymentOf(app), { fieldManager: "app-operator", force: true });
      ready = readiness(app, deployment);
      readyReplicas = deployment.status?.readyReplicas ?? 0;
    } catch (error) {
      ready = applyFailed(error);
      failure = { error };
    }
    const { generation: observedGeneration } = app.metadata ?? {};
    const conditions = setStatusCondition(app.status?.conditions, { ...ready, observedGeneration });
    const status: AppStatus = { readyReplicas, conditions };
    if (!isDeepStrictEqual(status, app.status)) await client.status.update({ ...app, status });
    // The condition informs people. The error makes the controller try again.
    if (failure) throw failure.error;
  });
}

/** Returns the condition Ready of an App with this Deployment. */
export function readiness(app: App, { metadata, status = {} }: Deployment): NewCondition {
  const { replicas: wanted = 1 } = app.spec ?? {};
  const { observedGeneration = 0, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  // Right after an apply, the status still describes the old Pods.
  if (observedGeneration < (metadata?.generation ?? 0)) {
    const message = "The Deployment controller has not seen the change yet";
    return { type: "Ready", status: "False", reason: "RollingOut", message };
  }
  // An old Pod may still be the available one.
  const ready = updatedReplicas >= wanted && availableReplicas >= wanted && replicas <= updatedReplicas;
  return {
    type: "Ready",
    status: ready ? "True" : "False",
    reason: ready ? "AllReady" : "RollingOut",
    message: `${updatedReplicas} of ${wanted} Pods are up to date, ${availableReplicas} available`,
  };
}

function applyFailed(error: unknown): NewCondition {
  const message = error instanceof Error ? error.message : String(error);
  return { type: "Ready", status: "False", reason: "ApplyFailed", message };
}

function deploymentOf(app: App) {
  const key = objectKeyOf(app);
  const labels = { app: key.name };
  const { image = "nginx:1.29", replicas = 1 } = app.spec ?? {};
  return {
    apiVersion: "apps/v1" as const,
    kind: "Deployment" as const,
    metadata: setControllerReference<KubeObject>(app, { metadata: key }).metadata,
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image }] } },
    },
  };
}

/** Adds the controller of Apps to the manager. */
export function setupApps(manager: Manager): void {
  newControllerManagedBy(manager).for(apps).owns(deployments).complete(createAppReconciler(manager.client));
}
