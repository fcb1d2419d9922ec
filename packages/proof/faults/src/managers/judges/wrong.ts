import { deployments } from "@operator-path/client";
import { findStatusCondition, getControllerOf } from "@operator-path/controller-runtime";
import { recordFinalizer, type Site, sites } from "../reference/site.ts";
import { names } from "../steps.ts";
import type { World } from "../world.ts";

/** Returns the first difference between the state and the sites' specs; undefined if they agree. */
export function wrong(
  { server, outside }: Pick<World, "server" | "outside">,
  among: readonly { key: string }[] = names,
): string | undefined {
  for (const { key } of among) {
    const found = wrongAt(key);
    if (found) return `${key}: ${found}`;
  }
  return undefined;

  function wrongAt(key: string): string | undefined {
    const site = server.revisions.get(sites.plural, key) as Site | undefined;
    const child = server.revisions.get(deployments.plural, key);
    const record = outside.records.get(key);
    const uid = site?.metadata?.uid;
    const controller = child && getControllerOf(child);
    const owner = controller?.kind === sites.kind ? controller.uid : undefined;
    if (owner && owner !== uid) return `the Deployment belongs to ${owner}, and the site is ${uid}`;
    if (record && record.uid !== uid) return `the record belongs to ${record.uid}, and the site is ${uid}`;
    if (!site) return undefined;
    const { metadata, status, spec = { size: 0 } } = site;
    if (metadata?.deletionTimestamp) {
      if (record) return "it is being deleted, and has a record";
      return metadata.finalizers?.includes(recordFinalizer) || !metadata.finalizers?.length
        ? "it is being deleted, and still exists"
        : undefined;
    }
    if (spec.size < 0) return undefined;
    if (record?.size !== spec.size) return `its size is ${spec.size}, and that of the record ${record?.size}`;
    const isTaken = child !== undefined && owner === undefined;
    const replicas = owner ? (child?.spec as { replicas?: number } | undefined)?.replicas : 0;
    if (!isTaken && replicas !== spec.size)
      return `its size is ${spec.size}, and it has ${replicas} replicas`;
    const ready = findStatusCondition(status?.conditions, "Ready");
    if (ready?.status !== (isTaken ? "False" : "True")) return `Ready is ${ready?.status} (${ready?.reason})`;
    if (status?.observedGeneration !== metadata?.generation || status?.size !== spec.size) {
      return `its generation is ${metadata?.generation}, and its status ${JSON.stringify(status)}`;
    }
    return undefined;
  }
}
