import { isDeepStrictEqual } from "node:util";
import type { PersistentVolume, PersistentVolumeClaim } from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { createMutationCache } from "../mutation-cache.ts";
import { isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { persistentVolumeClaims, persistentVolumes } from "../resources.ts";
import {
  bindCompletedAnnotation,
  boundByControllerAnnotation,
  defaultClass,
  findVolume,
  isMeantFor,
  provisionerAnnotation,
  provisionerBetaAnnotation,
  selectedNodeAnnotation,
  waitsForConsumer,
} from "./claims.ts";

/**
 * Binds claims and volumes to each other, and asks a provisioner for missing volumes. Does not look into
 * volumes. (Kubernetes: pkg/controller/volume/persistentvolume.)
 */
export function createVolumeBinder(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder("persistentvolume-controller");
  /** "namespace/name" of claims, and names of volumes. */
  const queue = createWorkQueue<string>({ clock });
  const claims = createMutationCache(informers.persistentVolumeClaims);
  const volumes = createMutationCache(informers.persistentVolumes);
  const { storageClasses } = informers;

  const claimChanged = (claim: PersistentVolumeClaim) => {
    queue.add(keyOf(claim));
    if (claim.spec?.volumeName) queue.add(claim.spec.volumeName);
  };
  informers.persistentVolumeClaims.addEventHandler({
    added: claimChanged,
    updated: (_old, claim) => claimChanged(claim),
    deleted: (claim) => claimChanged(unwrapTombstone(claim)),
  });
  const volumeChanged = (volume: PersistentVolume) => {
    queue.add(nameOf(volume));
    const { claimRef } = volume.spec ?? {};
    if (claimRef) queue.add(`${claimRef.namespace}/${claimRef.name}`);
    else pendingChanged();
  };
  informers.persistentVolumes.addEventHandler({
    added: volumeChanged,
    updated: (_old, volume) => volumeChanged(volume),
    deleted: (volume) => volumeChanged(unwrapTombstone(volume)),
  });
  storageClasses.addEventHandler({ added: pendingChanged, updated: pendingChanged });
  return runController(context, { name: "persistentvolume-binder", queue, workers: 1, reconcile });

  function pendingChanged(): void {
    for (const claim of informers.persistentVolumeClaims.lister.list()) {
      if (!claim.spec?.volumeName) queue.add(keyOf(claim));
    }
  }

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    if (namespace === "") {
      const cached = informers.persistentVolumes.lister.get(name);
      const volume = cached && volumes.latest(cached);
      if (volume !== undefined) await syncVolume(volume);
      return;
    }
    const cached = informers.persistentVolumeClaims.lister.namespace(namespace).get(name);
    const claim = cached && claims.latest(cached);
    if (claim === undefined) return;
    if (claim.spec?.volumeName) await syncBound(claim, claim.spec.volumeName);
    else if (!isBeingDeleted(claim)) await syncPending(claim);
  }

  async function syncVolume(volume: PersistentVolume): Promise<void> {
    const { claimRef } = volume.spec ?? {};
    if (!claimRef?.uid) return setVolumePhase(volume, "Available");
    const claim = informers.persistentVolumeClaims.lister
      .namespace(claimRef.namespace ?? "")
      .get(claimRef.name ?? "");
    if (claim === undefined || uidOf(claim) !== claimRef.uid) await setVolumePhase(volume, "Released");
  }

  async function syncBound(claim: PersistentVolumeClaim, volumeName: string): Promise<void> {
    const cached = informers.persistentVolumes.lister.get(volumeName);
    const volume = cached && volumes.latest(cached);
    const isSettled = claim.metadata?.annotations?.[bindCompletedAnnotation] !== undefined;
    if (volume !== undefined && (volume.spec?.claimRef === undefined || isMeantFor(volume, claim))) {
      return bind(claim, volume);
    }
    // A volume that was requested by name may still appear. A lost volume stays lost.
    if (!isSettled || claim.status?.phase === "Lost") return;
    await saveClaimStatus(claim, { ...claim.status, phase: "Lost" });
    const message = "Bound claim has lost its PersistentVolume. Data on the volume is lost!";
    recorder.event(claim, "Warning", "ClaimLost", message);
  }

  async function syncPending(claim: PersistentVolumeClaim): Promise<void> {
    const all = volumes.overlay(informers.persistentVolumes.lister.list(), () => false);
    const className = claim.spec?.storageClassName;
    const storageClass = className ? storageClasses.lister.get(className) : undefined;
    const isSelected = claim.metadata?.annotations?.[selectedNodeAnnotation] !== undefined;
    const meant = all.find((volume) => volume.spec?.claimRef !== undefined && isMeantFor(volume, claim));
    if (meant !== undefined) return bind(claim, meant);
    if (waitsForConsumer(storageClass) && !isSelected) {
      const message = "waiting for first consumer to be created before binding";
      recorder.event(claim, "Normal", "WaitForFirstConsumer", message);
      return;
    }
    const found = findVolume(claim, all);
    if (found !== undefined) return bind(claim, found);
    if (className === undefined) return assignDefaultClass(claim);
    if (className === "") {
      const message = "no persistent volumes available for this claim and no storage class is set";
      recorder.event(claim, "Normal", "FailedBinding", message);
    } else if (storageClass === undefined) {
      const message = `storageclass.storage.k8s.io ${JSON.stringify(className)} not found`;
      recorder.event(claim, "Warning", "ProvisioningFailed", message);
    } else await askProvisioner(claim, storageClass.provisioner);
  }

  async function assignDefaultClass(claim: PersistentVolumeClaim): Promise<void> {
    const chosen = defaultClass(storageClasses.lister.list());
    if (chosen === undefined) {
      const message = "no persistent volumes available for this claim and no storage class is set";
      recorder.event(claim, "Normal", "FailedBinding", message);
      return;
    }
    claims.written(
      await updateClaim({ ...claim, spec: { ...claim.spec, storageClassName: nameOf(chosen) } }),
    );
    queue.add(keyOf(claim));
  }

  async function askProvisioner(claim: PersistentVolumeClaim, provisioner: string): Promise<void> {
    if (provisioner === "kubernetes.io/no-provisioner") {
      const message = "no volume plugin matched name: kubernetes.io/no-provisioner";
      recorder.event(claim, "Warning", "ProvisioningFailed", message);
      return;
    }
    const annotations = {
      ...claim.metadata?.annotations,
      [provisionerAnnotation]: provisioner,
      [provisionerBetaAnnotation]: provisioner,
    };
    if (claim.metadata?.annotations?.[provisionerAnnotation] !== provisioner) {
      claims.written(await updateClaim({ ...claim, metadata: { ...claim.metadata, annotations } }));
    }
    const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
    recorder.event(claim, "Normal", "ExternalProvisioning", message);
  }

  /** Makes four writes. Each is repeated if a later one fails. */
  async function bind(claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    const { claimRef } = volume.spec ?? {};
    let bound = volume;
    if (claimRef?.uid !== uidOf(claim)) {
      const { resourceVersion } = claim.metadata ?? {};
      const reference = {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        name: nameOf(claim),
        namespace: namespaceOf(claim),
        uid: uidOf(claim),
        ...(resourceVersion && { resourceVersion }),
      };
      const annotations =
        claimRef === undefined
          ? { ...volume.metadata?.annotations, [boundByControllerAnnotation]: "yes" }
          : volume.metadata?.annotations;
      bound = await client.resource(persistentVolumes).update({
        ...volume,
        metadata: { ...volume.metadata, ...(annotations && { annotations }) },
        spec: { ...volume.spec, claimRef: reference },
      });
      volumes.written(bound);
    }
    await setVolumePhase(bound, "Bound");

    const { annotations = {} } = claim.metadata ?? {};
    const wanted = {
      ...annotations,
      [bindCompletedAnnotation]: "yes",
      ...(!claim.spec?.volumeName && { [boundByControllerAnnotation]: "yes" }),
    };
    let settled = claim;
    if (claim.spec?.volumeName !== nameOf(bound) || !isDeepStrictEqual(wanted, annotations)) {
      settled = await updateClaim({
        ...claim,
        metadata: { ...claim.metadata, annotations: wanted },
        spec: { ...claim.spec, volumeName: nameOf(bound) },
      });
      claims.written(settled);
    }
    const { accessModes, capacity } = bound.spec ?? {};
    await saveClaimStatus(settled, {
      ...settled.status,
      phase: "Bound",
      ...(accessModes && { accessModes }),
      ...(capacity && settled.status?.phase !== "Bound" && { capacity }),
    });
  }

  async function setVolumePhase(volume: PersistentVolume, phase: string): Promise<void> {
    if (volume.status?.phase === phase) return;
    volumes.written(
      await client
        .resource(persistentVolumes)
        .updateStatus({ ...volume, status: { ...volume.status, phase } }),
    );
  }

  async function saveClaimStatus(
    claim: PersistentVolumeClaim,
    status: NonNullable<PersistentVolumeClaim["status"]>,
  ): Promise<void> {
    if (isDeepStrictEqual(status, claim.status)) return;
    claims.written(
      await client
        .resource(persistentVolumeClaims)
        .namespace(namespaceOf(claim))
        .updateStatus({ ...claim, status }),
    );
  }

  function updateClaim(claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
    return client.resource(persistentVolumeClaims).namespace(namespaceOf(claim)).update(claim);
  }
}
