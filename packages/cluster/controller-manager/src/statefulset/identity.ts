import {
  type PersistentVolumeClaim,
  type Pod,
  type PodTemplateSpec,
  type StatefulSet,
  statefulSets,
} from "@operator-path/client";
import { nameOf, namespaceOf } from "../objects.ts";
import { podFromTemplate } from "../pod-from-template.ts";
import { desiredReplicas } from "../replicas.ts";

const revisionLabel = "controller-revision-hash";
const podNameLabel = "statefulset.kubernetes.io/pod-name";
const podIndexLabel = "apps.kubernetes.io/pod-index";

/** The number at the end of a Pod's name, if the rest is the StatefulSet's. */
export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const match = /^(.*)-([0-9]+)$/.exec(nameOf(pod));
  return match?.[1] === nameOf(set) ? Number(match[2]) : undefined;
}

/** `data-web-0`: of the claim template `data`, for the Pod web-0. */
export function claimName(set: StatefulSet, template: PersistentVolumeClaim, ordinal: number): string {
  return `${nameOf(template)}-${nameOf(set)}-${ordinal}`;
}

export function startOrdinal({ spec }: StatefulSet): number {
  return spec?.ordinals?.start ?? 0;
}

/** Whether the StatefulSet, as large as it is to be, has a place for a Pod. */
export function isWanted(set: StatefulSet, pod: Pod): boolean {
  const ordinal = ordinalOf(set, pod);
  const start = startOrdinal(set);
  return ordinal !== undefined && ordinal >= start && ordinal < start + desiredReplicas(set);
}

export function podRevision(pod: Pod): string {
  return pod.metadata?.labels?.[revisionLabel] ?? "";
}

/** The Pod with an ordinal, of one revision: its name, its hostname and its claims are its own for good. */
export function statefulPod(
  set: StatefulSet,
  template: PodTemplateSpec,
  revision: string,
  ordinal: number,
): Pod {
  const name = `${nameOf(set)}-${ordinal}`;
  const pod = podFromTemplate(template, set, statefulSets);
  const claims = set.spec?.volumeClaimTemplates ?? [];
  const volumes = [
    ...claims.map((claim) => ({
      name: nameOf(claim),
      persistentVolumeClaim: { claimName: claimName(set, claim, ordinal) },
    })),
    ...(template.spec?.volumes ?? []).filter(
      (volume) => !claims.some((claim) => nameOf(claim) === volume.name),
    ),
  ];
  const { containers = [], ...spec } = template.spec ?? { containers: [] };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name,
      namespace: namespaceOf(set),
      labels: { ...pod.metadata?.labels, [revisionLabel]: revision, ...identityLabels(name, ordinal) },
    },
    spec: {
      ...spec,
      containers,
      ...(volumes.length > 0 && { volumes }),
      hostname: name,
      ...(set.spec?.serviceName && { subdomain: set.spec.serviceName }),
    },
  };
}

export function identityLabels(name: string, ordinal: number): Record<string, string> {
  return { [podNameLabel]: name, [podIndexLabel]: String(ordinal) };
}

export function hasIdentity(pod: Pod): boolean {
  return pod.metadata?.labels?.[podNameLabel] === nameOf(pod);
}
