import type { EnvVar, Job, Pod } from "@operator-path/client";
import { isBeingDeleted, nameOf } from "../objects.ts";
import { podFromTemplate } from "../pod-from-template.ts";
import { isTerminal } from "../pods.ts";
import { jobs } from "../resources.ts";
import { completionIndexKey } from "./indexes.ts";

/** Keeps a Pod that has ended until its Job has counted it. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

export function isTracked(pod: Pod): boolean {
  return pod.metadata?.finalizers?.includes(trackingFinalizer) ?? false;
}

/** A Pod that is on its way out counts as failed, unless the Job waits for its end before it replaces it. */
export function isFailed(job: Job, pod: Pod): boolean {
  if (pod.status?.phase === "Failed") return true;
  if (replacesOnlyFailed(job)) return false;
  return isBeingDeleted(pod) && !isTerminal(pod);
}

export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === "Failed";
}

export function isSuspended({ spec }: Job): boolean {
  return spec?.suspend === true;
}

export function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === "Indexed";
}

export function completionsOf({ spec }: Job): number {
  return spec?.completions ?? Number.POSITIVE_INFINITY;
}

/** @param index undefined for a Job that is not Indexed */
export function jobPod(job: Job, index: number | undefined): Pod {
  const pod = podFromTemplate(job.spec?.template, job, jobs);
  const finalizers = [...new Set([...(pod.metadata?.finalizers ?? []), trackingFinalizer])];
  if (index === undefined) return { ...pod, metadata: { ...pod.metadata, finalizers } };
  const { containers = [], initContainers, ...spec } = pod.spec ?? { containers: [] };
  const hostname = `${nameOf(job)}-${index}`;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generateName: `${hostname.slice(0, 247)}-`,
      finalizers,
      labels: { ...pod.metadata?.labels, [completionIndexKey]: String(index) },
      annotations: { ...pod.metadata?.annotations, [completionIndexKey]: String(index) },
    },
    spec: {
      ...spec,
      ...(initContainers && { initContainers: initContainers.map(withIndexVariable) }),
      containers: containers.map(withIndexVariable),
      hostname,
    },
  };
}

function withIndexVariable<C extends { env?: EnvVar[] }>(container: C): C {
  const name = "JOB_COMPLETION_INDEX";
  if (container.env?.some((variable) => variable.name === name)) return container;
  const fieldPath = `metadata.labels['${completionIndexKey}']`;
  return { ...container, env: [...(container.env ?? []), { name, valueFrom: { fieldRef: { fieldPath } } }] };
}
