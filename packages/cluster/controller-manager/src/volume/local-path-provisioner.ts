import { isAlreadyExists, isConflict, isNotFound, type PersistentVolumeClaim } from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { persistentVolumes } from "../resources.ts";
import {
  provisionedByAnnotation,
  provisionerAnnotation,
  selectedNodeAnnotation,
  waitsForConsumer,
} from "./claims.ts";

/** The provisioner of kind's StorageClass "standard". */
const localPathProvisioner = "rancher.io/local-path";

/**
 * Provisions a volume for each claim that requests one: a folder on the node that the scheduler chose for the
 * first Pod. On simulated nodes it is a folder of the kubelet, whatever the path. Deletes released volumes if
 * their reclaim policy says so. (rancher/local-path-provisioner, as in kind clusters.)
 */
export function createLocalPathProvisioner(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder(localPathProvisioner);
  /** "namespace/name" of claims, and names of volumes. */
  const queue = createWorkQueue<string>({ clock });
  const { storageClasses } = informers;

  const claimChanged = (claim: PersistentVolumeClaim) => {
    if (isWaiting(claim)) queue.add(keyOf(claim));
  };
  informers.persistentVolumeClaims.addEventHandler({
    added: claimChanged,
    updated: (_old, claim) => claimChanged(claim),
  });
  informers.persistentVolumes.addEventHandler({
    added: (volume) => queue.add(nameOf(volume)),
    updated: (_old, volume) => queue.add(nameOf(volume)),
  });
  return runController(context, { name: "local-path-provisioner", queue, workers: 1, reconcile });

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    if (namespace === "") return cleanUp(name);
    const claim = informers.persistentVolumeClaims.lister.namespace(namespace).get(name);
    if (claim !== undefined && isWaiting(claim) && !isBeingDeleted(claim)) await provision(claim);
  }

  async function provision(claim: PersistentVolumeClaim): Promise<void> {
    const { accessModes, resources, storageClassName = "", volumeMode } = claim.spec ?? {};
    const storageClass = storageClasses.lister.get(storageClassName);
    const node = claim.metadata?.annotations?.[selectedNodeAnnotation];
    if (storageClass === undefined || (waitsForConsumer(storageClass) && node === undefined)) return;
    const name = `pvc-${uidOf(claim)}`;
    if (informers.persistentVolumes.lister.get(name) !== undefined) return;
    const { resourceVersion } = claim.metadata ?? {};
    const what = `External provisioner is provisioning volume for claim ${JSON.stringify(keyOf(claim))}`;
    recorder.event(claim, "Normal", "Provisioning", what);
    const capacity = resources?.requests?.storage;
    const onNode = { key: "kubernetes.io/hostname", operator: "In", values: [node ?? ""] };
    try {
      await client.resource(persistentVolumes).create({
        metadata: {
          name,
          annotations: {
            [provisionedByAnnotation]: localPathProvisioner,
            ...(node && { "local.path.provisioner/selected-node": node }),
          },
        },
        spec: {
          ...(accessModes && { accessModes }),
          ...(capacity && { capacity: { storage: capacity } }),
          claimRef: {
            apiVersion: "v1",
            kind: "PersistentVolumeClaim",
            name: nameOf(claim),
            namespace: namespaceOf(claim),
            uid: uidOf(claim),
            ...(resourceVersion && { resourceVersion }),
          },
          hostPath: {
            path: `/var/local-path-provisioner/${name}_${namespaceOf(claim)}_${nameOf(claim)}`,
            type: "DirectoryOrCreate",
          },
          ...(node && {
            nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [onNode] }] } },
          }),
          persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? "Delete",
          storageClassName,
          ...(volumeMode && { volumeMode }),
        },
      });
      recorder.event(claim, "Normal", "ProvisioningSucceeded", `Successfully provisioned volume ${name}`);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  async function cleanUp(name: string): Promise<void> {
    const volume = informers.persistentVolumes.lister.get(name);
    if (volume?.metadata?.annotations?.[provisionedByAnnotation] !== localPathProvisioner) return;
    if (volume.status?.phase !== "Released" || isBeingDeleted(volume)) return;
    if (volume.spec?.persistentVolumeReclaimPolicy !== "Delete") return;
    await client
      .resource(persistentVolumes)
      .delete(name, { preconditions: { uid: uidOf(volume) } })
      .catch((error) => {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      });
  }
}

function isWaiting({ metadata, spec }: PersistentVolumeClaim): boolean {
  return !spec?.volumeName && metadata?.annotations?.[provisionerAnnotation] === localPathProvisioner;
}
