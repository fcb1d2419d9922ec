import { isNotFound, type KubeObject, type Pod, pods, type Resource } from "@operator-path/client";
import { createWorkQueue, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { hasFinalizer, isBeingDeleted, nameOf, namespaceOf } from "../objects.ts";
import { persistentVolumeClaims, persistentVolumes } from "../resources.ts";

const claimFinalizer = "kubernetes.io/pvc-protection";
const volumeFinalizer = "kubernetes.io/pv-protection";

/**
 * Removes the finalizer of a deleted claim when no Pod uses it. The API server adds the finalizer to new
 * claims. (Kubernetes: pkg/controller/volume/pvcprotection.)
 */
export function createClaimProtectionController(context: ControllerContext): Controller {
  const { informers, clock } = context;
  const queue = createWorkQueue<string>({ clock });
  const claims = informers.persistentVolumeClaims;
  const enqueue = (claim: KubeObject) => {
    if (isBeingDeleted(claim)) queue.add(`${namespaceOf(claim)}/${nameOf(claim)}`);
  };
  claims.addEventHandler({ added: enqueue, updated: (_old, claim) => enqueue(claim) });
  informers.pods.addEventHandler({
    deleted(pod) {
      for (const key of claimsOf(unwrapTombstone(pod))) queue.add(key);
    },
  });
  return runController(context, { name: "persistentvolumeclaim-protection", queue, workers: 1, reconcile });

  async function reconcile(key: string): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    const claim = claims.lister.namespace(namespace).get(name);
    if (claim === undefined || !isBeingDeleted(claim) || !hasFinalizer(claim, claimFinalizer)) return;
    const uses = (pod: Pod) => isRunning(pod) && claimsOf(pod).includes(key);
    if (informers.pods.lister.namespace(namespace).list().some(uses)) return;
    // The cache may lack the newest Pod. That Pod's deletion triggers another check.
    const { items } = await context.client.resource(pods).namespace(namespace).list();
    if (items.some(uses)) return;
    await removeFinalizer(context, persistentVolumeClaims, claim, claimFinalizer);
  }
}

/** An unbound Pod cannot start with a claim that is being deleted. */
function isRunning({ spec }: Pod): boolean {
  return (spec?.nodeName ?? "") !== "";
}

function claimsOf(pod: Pod): string[] {
  return (pod.spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral && `${nameOf(pod)}-${name}`);
    return claim === undefined ? [] : [`${namespaceOf(pod)}/${claim}`];
  });
}

/**
 * Removes the finalizer of a deleted volume when no claim is bound to it. (Kubernetes:
 * pkg/controller/volume/pvprotection.)
 */
export function createVolumeProtectionController(context: ControllerContext): Controller {
  const { informers, clock } = context;
  const queue = createWorkQueue<string>({ clock });
  const volumes = informers.persistentVolumes;
  const enqueue = (volume: KubeObject) => {
    if (isBeingDeleted(volume)) queue.add(nameOf(volume));
  };
  volumes.addEventHandler({ added: enqueue, updated: (_old, volume) => enqueue(volume) });
  return runController(context, { name: "persistentvolume-protection", queue, workers: 1, reconcile });

  async function reconcile(name: string): Promise<void> {
    const volume = volumes.lister.get(name);
    if (volume === undefined || !isBeingDeleted(volume) || !hasFinalizer(volume, volumeFinalizer)) return;
    if (volume.status?.phase === "Bound") return;
    await removeFinalizer(context, persistentVolumes, volume, volumeFinalizer);
  }
}

async function removeFinalizer<T extends KubeObject>(
  { client }: ControllerContext,
  resource: Resource<T>,
  object: T,
  finalizer: string,
): Promise<void> {
  const finalizers = object.metadata?.finalizers?.filter((name) => name !== finalizer) ?? [];
  const all = client.resource(resource);
  const scope = namespaceOf(object) === "" ? all : all.namespace(namespaceOf(object));
  await scope.update({ ...object, metadata: { ...object.metadata, finalizers } }).catch((error) => {
    if (!isNotFound(error)) throw error;
  });
}
