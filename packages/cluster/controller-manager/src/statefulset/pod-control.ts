import {
  type Client,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type PersistentVolumeClaim,
  type Pod,
  pods,
  type StatefulSet,
} from "@operator-path/client";
import type { EventRecorder } from "@operator-path/informers";
import { messageOf } from "../error-message.ts";
import type { Informers } from "../informers.ts";
import { createMutationCache, type MutationCache } from "../mutation-cache.ts";
import { isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { deletePod } from "../pod-control.ts";
import { persistentVolumeClaims } from "../resources.ts";
import { claimsOf, isStaleClaim, retentionOwners } from "./claims.ts";
import { hasIdentity, identityLabels, ordinalOf } from "./identity.ts";

/** Everything that the StatefulSet controller does to Pods and their claims, with the Events that tell of it. */
export interface StatefulPodControl {
  /** Creates the Pod after its claims; does nothing while a claim of its predecessor has not gone. */
  create(set: StatefulSet, pod: Pod): Promise<void>;
  remove(set: StatefulSet, pod: Pod): Promise<void>;
  /** Puts claims, their owners and the Pod's labels right. */
  check(set: StatefulSet, pod: Pod): Promise<void>;
}

export function createStatefulPodControl(
  client: Client,
  informers: Informers,
  recorder: EventRecorder,
  written: MutationCache<Pod>,
): StatefulPodControl {
  const claimsWritten = createMutationCache(informers.persistentVolumeClaims);
  return { create, remove, check };

  async function create(set: StatefulSet, pod: Pod): Promise<void> {
    for (const { metadata } of claimsOf(set, pod)) {
      const existing = cachedClaim(set, metadata?.name ?? "");
      if (existing !== undefined && isStaleClaim(set, pod, existing)) return;
    }
    let created: Pod;
    try {
      await createClaims(set, pod);
      created = await client.resource(pods).namespace(namespaceOf(set)).create(pod);
    } catch (error) {
      if (!isAlreadyExists(error)) record(set, pod, "create", error);
      throw error;
    }
    written.written(created);
    record(set, pod, "create");
    await updateOwners(set, created);
  }

  async function remove(set: StatefulSet, pod: Pod): Promise<void> {
    try {
      await deletePod(client, pod, written);
    } catch (error) {
      // Gone already, or another one by now: the cache will tell.
      if (isConflict(error)) throw error;
      if (!isNotFound(error)) {
        record(set, pod, "delete", error);
        throw error;
      }
    }
    record(set, pod, "delete");
  }

  async function check(set: StatefulSet, pod: Pod): Promise<void> {
    if (pod.status?.phase === "Pending") await createClaims(set, pod);
    await updateOwners(set, pod);
    if (hasIdentity(pod)) return;
    const labels = identityLabels(nameOf(pod), ordinalOf(set, pod) ?? 0);
    try {
      const patch = { metadata: { uid: uidOf(pod), labels } };
      written.written(
        await client.resource(pods).namespace(namespaceOf(pod)).patch(nameOf(pod), patch, { type: "merge" }),
      );
    } catch (error) {
      record(set, pod, "update", error);
      throw error;
    }
    record(set, pod, "update");
  }

  async function createClaims(set: StatefulSet, pod: Pod): Promise<void> {
    for (const claim of claimsOf(set, pod)) {
      const name = nameOf(claim);
      const existing = cachedClaim(set, name);
      if (existing !== undefined && isBeingDeleted(existing)) throw new Error(`pvc ${name} is being deleted`);
      if (existing !== undefined) continue;
      const what = `Create Claim ${name}`;
      try {
        claimsWritten.written(
          await client.resource(persistentVolumeClaims).namespace(namespaceOf(set)).create(claim),
        );
        const message = `${what} Pod ${nameOf(pod)} in StatefulSet ${nameOf(set)} success`;
        recorder.event(set, "Normal", "SuccessfulCreate", message);
      } catch (error) {
        if (isAlreadyExists(error)) continue;
        const where = `for Pod ${nameOf(pod)} in StatefulSet ${nameOf(set)}`;
        recorder.event(set, "Warning", "FailedCreate", `${what} ${where} failed error: ${messageOf(error)}`);
        throw new Error(`failed to create PVC ${name}: ${messageOf(error)}`, { cause: error });
      }
    }
  }

  async function updateOwners(set: StatefulSet, pod: Pod): Promise<void> {
    for (const { metadata } of claimsOf(set, pod)) {
      const claim = cachedClaim(set, metadata?.name ?? "");
      const ownerReferences = claim && retentionOwners(set, pod, claim);
      if (claim === undefined || ownerReferences === undefined) continue;
      claimsWritten.written(
        await client
          .resource(persistentVolumeClaims)
          .namespace(namespaceOf(claim))
          .update({ ...claim, metadata: { ...claim.metadata, ownerReferences } }),
      );
    }
  }

  function cachedClaim(set: StatefulSet, name: string): PersistentVolumeClaim | undefined {
    const cached = informers.persistentVolumeClaims.lister.namespace(namespaceOf(set)).get(name);
    return claimsWritten.overlay(
      cached === undefined ? [] : [cached],
      (claim) => nameOf(claim) === name && namespaceOf(claim) === namespaceOf(set),
    )[0];
  }

  function record(set: StatefulSet, pod: Pod, verb: "create" | "update" | "delete", error?: unknown): void {
    const title = `${verb[0]?.toUpperCase()}${verb.slice(1)}`;
    const what = `${verb} Pod ${nameOf(pod)} in StatefulSet ${nameOf(set)}`.replace(verb, title);
    if (error === undefined) recorder.event(set, "Normal", `Successful${title}`, `${what} successful`);
    else recorder.event(set, "Warning", `Failed${title}`, `${what} failed error: ${messageOf(error)}`);
  }
}
