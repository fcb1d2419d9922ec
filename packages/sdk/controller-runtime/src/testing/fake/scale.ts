import type { KubeObject, LabelSelector, Resource, Scale } from "@operator-path/client";
import { selectorText } from "../../client/selector-text.ts";
import { invalid } from "../../client/status-errors.ts";

/** Returns whether the kind has a scale subresource with a label selector. */
export function hasScale({ group, plural }: Resource): boolean {
  return group === "apps" && ["deployments", "replicasets", "statefulsets"].includes(plural);
}

interface Scaled extends KubeObject {
  spec?: { replicas?: number; selector?: LabelSelector };
  status?: { replicas?: number };
}

/** Returns the autoscaling/v1 Scale of an object. */
export function scaleOf(object: KubeObject): Scale {
  const { metadata, spec, status } = object as Scaled;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata ?? {};
  return {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as NonNullable<Scale["metadata"]>,
    spec: { replicas: spec?.replicas ?? 1 },
    status: { replicas: status?.replicas ?? 0, selector: selectorText(spec?.selector ?? {}) },
  };
}

/** Returns the object with the replicas of the Scale. */
export function withScale(resource: Resource, object: KubeObject, scale: KubeObject): KubeObject {
  const { spec, metadata } = scale as Scale;
  const replicas = spec?.replicas ?? 0;
  const name = object.metadata?.name ?? "";
  if (replicas < 0) {
    throw invalid(
      resource,
      name,
      "spec.replicas",
      `Invalid value: ${replicas}: must be greater than or equal to 0`,
    );
  }
  const { resourceVersion } = metadata ?? {};
  return {
    ...object,
    metadata: { ...object.metadata, ...(resourceVersion ? { resourceVersion } : {}) },
    spec: { ...(object as Scaled).spec, replicas },
  } as KubeObject;
}
