import { type Deployment, deployments, type ReplicaSet } from "@operator-path/client";
import { nameOf, namespaceOf } from "../objects.ts";
import { controllerRef } from "../ownership.ts";
import { newReplicaSetAnnotations, revisionOf, sizeAnnotations } from "./annotations.ts";
import { newReplicas } from "./rolling-update.ts";
import type { Rollout } from "./rollout.ts";
import { podTemplateHashLabel, templateHash } from "./template-hash.ts";

/** Names may have 253 characters: what the hash needs is taken from the Deployment's. */
const maxNameLength = 253;

/**
 * The ReplicaSet that the Deployment's current template asks for, of the size that the surge allows at once. Its name
 * follows from the template: a second attempt to create it (a stale cache, a lost answer) finds what the first one made.
 */
export function newReplicaSetManifest(rollout: Rollout): ReplicaSet {
  const { deployment } = rollout;
  const spec = specOf(deployment);
  const hash = templateHash(spec.template, deployment.status?.collisionCount);
  const labels = { ...spec.template.metadata?.labels, [podTemplateHashLabel]: hash };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${nameOf(deployment).slice(0, maxNameLength - hash.length - 1)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      annotations: {
        ...newReplicaSetAnnotations(deployment, nextRevision(rollout)),
        ...sizeAnnotations(deployment),
      },
      ownerReferences: [controllerRef(deployment, deployments)],
    },
    spec: {
      replicas: newReplicas(rollout),
      ...(spec.minReadySeconds && { minReadySeconds: spec.minReadySeconds }),
      // With the hash in it the selector tells this revision's Pods from all others of the Deployment.
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector.matchLabels, [podTemplateHashLabel]: hash },
      },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}

/** One above the highest of the old ReplicaSets. */
export function nextRevision({ oldReplicaSets }: Rollout): number {
  return 1 + Math.max(0, ...oldReplicaSets.map(revisionOf));
}

function specOf(deployment: Deployment) {
  if (deployment.spec === undefined) {
    throw new TypeError(`Deployment ${nameOf(deployment)} without spec: not from an API server`);
  }
  return deployment.spec;
}
