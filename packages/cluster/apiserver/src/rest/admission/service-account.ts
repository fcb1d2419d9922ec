import { startTimer } from "../../clock.ts";
import { forbidden } from "../../errors.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { StoredObject } from "../../store/stored-object.ts";
import type { ApiContext, Scope } from "../context.ts";
import { generateName } from "../metadata.ts";

/** The namespace may be so new that its controller has not made the account yet: a real server waits as well. */
const patience = 1_000;
const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * Gives a Pod its ServiceAccount, and the volume with its token (admission plugin ServiceAccount).
 * @throws ApiStatusError 403 when there is no such account
 */
export async function admitServiceAccount(pod: ApiObject, context: ApiContext, scope: Scope): Promise<void> {
  const spec = pod.spec as JsonObject;
  // Mirror Pods of a node's own manifests have none.
  if (pod.metadata.annotations?.["kubernetes.io/config.mirror"] !== undefined) return;
  const name =
    typeof spec.serviceAccountName === "string" && spec.serviceAccountName !== ""
      ? spec.serviceAccountName
      : "default";
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
  const account = await findAccount(context, `${scope.namespace}/${name}`, scope.request.signal);
  if (account === undefined) {
    const why = `error looking up service account ${scope.namespace}/${name}: serviceaccount "${name}" not found`;
    throw forbidden("", "pods", pod.metadata.name ?? "", why);
  }
  const automount = spec.automountServiceAccountToken ?? account.object.automountServiceAccountToken ?? true;
  if (automount !== false) mountToken(spec, context.random);
  const secrets = account.object.imagePullSecrets;
  if (list(spec.imagePullSecrets).length === 0 && list(secrets).length > 0) {
    spec.imagePullSecrets = structuredClone(secrets as JsonValue);
  }
}

async function findAccount(
  context: ApiContext,
  key: string,
  signal: AbortSignal,
): Promise<StoredObject | undefined> {
  const { store, clock } = context;
  const found = store.get("serviceaccounts", key);
  if (found !== undefined) return found;
  return new Promise((resolve) => {
    const finish = () => {
      stopTimer();
      stopWatch();
      signal.removeEventListener("abort", finish);
      resolve(store.get("serviceaccounts", key));
    };
    const stopTimer = startTimer(clock, patience, finish);
    const stopWatch = store.watch("serviceaccounts", store.revision, ({ current }) => {
      if (current.key === key) finish();
    });
    signal.addEventListener("abort", finish);
  });
}

function mountToken(spec: JsonObject, random: () => number): void {
  const containers = [...list(spec.initContainers), ...list(spec.containers)];
  const missing = containers.filter(
    ({ volumeMounts }) => !list(volumeMounts).some((mount) => mount.mountPath === mountPath),
  );
  if (missing.length === 0) return;
  const volume = generateName("kube-api-access-", random);
  for (const container of missing) {
    container.volumeMounts = [...list(container.volumeMounts), { name: volume, readOnly: true, mountPath }];
  }
  spec.volumes = [...list(spec.volumes), { name: volume, projected: tokenProjection() }];
}

function tokenProjection(): JsonObject {
  return {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      {
        downwardAPI: {
          items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
        },
      },
    ],
    defaultMode: 420,
  };
}

function list(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
