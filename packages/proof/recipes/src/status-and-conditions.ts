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
    let deployment: Deployment | undefined;
    let failure: { error: unknown } | undefined;
    try {
      deployment = await client.apply(deploymentOf(app), { fieldManager: "app-operator", force: true });
    } catch (error) {
      failure = { error };
    }
    const ready = failure ? applyFailed(failure.error) : readiness(app, deployment?.status);
    const status: AppStatus = {
      readyReplicas: deployment?.status?.readyReplicas ?? 0,
      conditions: setStatusCondition(app.status?.conditions, {
        ...ready,
        observedGeneration: app.metadata?.generation,
      }),
    };
    if (!isDeepStrictEqual(status, app.status)) await client.status.update({ ...app, status });
    // The condition informs people. The error makes the controller try again.
    if (failure) throw failure.error;
  });
}

/** Returns the condition Ready of an App whose Deployment has this status. */
export function readiness(app: App, status: Deployment["status"]): NewCondition {
  const { replicas = 1 } = app.spec ?? {};
  const ready = status?.readyReplicas ?? 0;
  return {
    type: "Ready",
    status: ready >= replicas ? "True" : "False",
    reason: ready >= replicas ? "AllReady" : "PodsMissing",
    message: `${ready} of ${replicas} Pods are ready`,
  };
}

function applyFailed(error: unknown): NewCondition {
  return { type: "Ready", status: "False", reason: "ApplyFailed", message: String(error) };
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
