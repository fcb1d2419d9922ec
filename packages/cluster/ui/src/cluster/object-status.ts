import type { Condition, KubeObject, Pod } from "@operator-path/client";
import type { ObjectStatus, Tone } from "./wire.ts";

/** The fields that this file reads of any object. */
interface AnyObject extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** Returns how an object is, in kubectl's words. */
export function statusOf(object: KubeObject): ObjectStatus {
  const status = readStatus(object as AnyObject);
  if (object.metadata?.deletionTimestamp === undefined) return status;
  return { ...status, tone: "ending", word: "Terminating" };
}

function readStatus(object: AnyObject): ObjectStatus {
  // Only its metadata was requested.
  if (object.spec === undefined && object.status === undefined) return said("idle", "");
  switch (object.kind) {
    case "Pod":
      return podStatus(object as Pod);
    case "Deployment":
    case "StatefulSet":
    case "ReplicaSet":
      return replicasStatus(object, number(object.spec?.replicas) ?? 1, "readyReplicas");
    case "DaemonSet":
      return replicasStatus(object, number(object.status?.desiredNumberScheduled) ?? 0, "numberReady");
    case "Job":
      return jobStatus(object);
    case "CronJob":
      return said("idle", object.spec?.suspend === true ? "Suspended" : "Scheduled");
    case "Node":
      return conditionsStatus(object, ["Ready"]) ?? said("bad", "NotReady");
    case "Namespace":
    case "PersistentVolumeClaim":
    case "PersistentVolume":
      return phaseStatus(object);
    case "CustomResourceDefinition":
      return conditionsStatus(object, ["Established"]) ?? said("busy", "Waiting");
    default:
      return conditionsStatus(object, ["Ready", "Available", "Deployed"]) ?? phaseStatus(object);
  }
}

function said(tone: Tone, word: string, detail = ""): ObjectStatus {
  return { tone, word, detail };
}

function podStatus({ spec, status, metadata }: Pod): ObjectStatus {
  const containers = status?.containerStatuses ?? [];
  const count = spec?.containers?.length ?? 0;
  const ready = containers.filter((one) => one.ready).length;
  const restarts = containers.reduce((sum, { restartCount }) => sum + (restartCount ?? 0), 0);
  const debug = status?.ephemeralContainerStatuses?.length ?? spec?.ephemeralContainers?.length ?? 0;
  const detail = [
    `${ready}/${count} ready`,
    ...(restarts > 0 ? [`${restarts} restart${restarts === 1 ? "" : "s"}`] : []),
    ...(debug > 0 ? [`${debug} ephemeral`] : []),
  ].join(" · ");
  const all = [...(status?.initContainerStatuses ?? []), ...containers];
  // kubectl ignores ephemeral containers, also those that cannot start. How a shell ended is no problem of its Pod.
  const ephemeral = (status?.ephemeralContainerStatuses ?? [])
    .map(({ state }) => state?.waiting?.reason)
    .filter((waiting) => waiting !== "ContainerCreating");
  const reasons = all.map(({ state }) => state?.waiting?.reason ?? failure(state?.terminated));
  const reason = [...reasons, ...ephemeral].find(
    (found) => found !== undefined && found !== "PodInitializing" && found !== "Completed",
  );
  const phase = status?.reason ?? status?.phase ?? "Pending";
  if (metadata?.deletionTimestamp !== undefined) return said("ending", "Terminating", detail);
  if (phase === "Succeeded") return said("idle", "Completed", detail);
  if (reason !== undefined) return said(reason === "ContainerCreating" ? "busy" : "bad", reason, detail);
  if (phase === "Running") return said(ready === count ? "ok" : "busy", "Running", detail);
  return said(phase === "Pending" ? "busy" : "bad", phase, detail);
}

function failure(terminated: { exitCode: number; reason?: string | undefined } | undefined) {
  return terminated && terminated.exitCode !== 0 ? (terminated.reason ?? "Error") : undefined;
}

function replicasStatus(object: AnyObject, wanted: number, readyField: string): ObjectStatus {
  const ready = number(object.status?.[readyField]) ?? 0;
  const detail = `${ready}/${wanted} ready`;
  const failed = conditionsOf(object).find(
    ({ type, status }) => type === "ReplicaFailure" && status === "True",
  );
  if (failed) return said("bad", failed.reason ?? "ReplicaFailure", detail);
  if (wanted === 0 && ready === 0) return said("idle", "Scaled to 0", detail);
  const observed = number(object.status?.observedGeneration) ?? 0;
  if (observed < (object.metadata?.generation ?? 0)) return said("busy", "Pending", detail);
  const stuck = conditionsOf(object).find(({ type, status }) => type === "Progressing" && status === "False");
  if (stuck) return said("bad", stuck.reason ?? "Stuck", detail);
  const updated = number(object.status?.updatedReplicas);
  const rollsOut = object.kind === "Deployment" && updated !== undefined && updated < wanted;
  return ready === wanted && !rollsOut ? said("ok", "Ready", detail) : said("busy", "Progressing", detail);
}

function jobStatus(object: AnyObject): ObjectStatus {
  const detail = `${number(object.status?.succeeded) ?? 0}/${number(object.spec?.completions) ?? 1} succeeded`;
  const done = conditionsOf(object).find(({ status }) => status === "True");
  if (done?.type === "Failed") return said("bad", done.reason ?? "Failed", detail);
  if (done?.type === "Complete") return said("idle", "Complete", detail);
  return said("busy", done?.type === "Suspended" ? "Suspended" : "Running", detail);
}

const goodPhases = ["Active", "Bound", "Available", "Ready", "Running", "Succeeded", "deployed"];

function phaseStatus({ status }: AnyObject): ObjectStatus {
  const phase = status?.phase ?? status?.state;
  if (typeof phase !== "string" || phase === "") return said("idle", "");
  if (goodPhases.includes(phase)) return said("ok", phase);
  return said(/fail|error|lost|degraded/i.test(phase) ? "bad" : "busy", phase);
}

/** Returns the status that conditions tell, or undefined if none of the `good` ones exists. */
function conditionsStatus(object: AnyObject, good: readonly string[]): ObjectStatus | undefined {
  const conditions = conditionsOf(object);
  const degraded = conditions.find(
    ({ type, status }) => /^(?:Degraded|Irreconcilable)$/.test(type) && status === "True",
  );
  if (degraded) return said("bad", degraded.type, degraded.reason ?? "");
  const found = good.map((type) => conditions.find((one) => one.type === type)).find(Boolean);
  if (!found) return undefined;
  if (found.status === "True") return said("ok", found.type);
  const failed = /fail|error|invalid/i.test(found.reason ?? "");
  return said(failed ? "bad" : "busy", `Not ${found.type.toLowerCase()}`, found.reason ?? "");
}

/** A custom resource's status may have any form. */
function conditionsOf({ status }: AnyObject): Condition[] {
  const conditions = status?.conditions;
  return Array.isArray(conditions) ? conditions.filter((one) => typeof one?.type === "string") : [];
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
