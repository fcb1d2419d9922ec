import { isDeepStrictEqual } from "node:util";
import { customResourceStrategy } from "../apiextensions/custom-resource/strategy.ts";
import { customResourceDefinitionStrategy } from "../apiextensions/definition/strategy.ts";
import type { Strategy } from "../server/registry/strategy.ts";
import { collectionOf } from "../server/storage/keys.ts";
import type { ResourceType } from "../server/types/resource-type.ts";
import { daemonSetStrategy } from "./apps/daemon-set.ts";
import { deploymentStrategy } from "./apps/deployment.ts";
import { jobStrategy } from "./batch/job.ts";
import { namespaceStrategy } from "./core/namespace.ts";
import { persistentVolumeStrategy } from "./core/persistent-volume.ts";
import { podStrategy } from "./core/pod/strategy.ts";
import { serviceStrategy } from "./core/service/strategy.ts";
import { bindingStrategy, roleStrategy } from "./rbac/roles.ts";

const counted: Strategy = { generation: true };
/** Has no spec. */
const webhookConfiguration: Strategy = {
  generation: true,
  generationChanged: (draft, old) => !isDeepStrictEqual(draft.webhooks, old.webhooks),
};
const returned: Strategy = { returnsDeleted: true };

/** By collection. What is not here needs nothing special. */
const strategies: Record<string, Strategy> = {
  pods: podStrategy,
  namespaces: namespaceStrategy,
  services: serviceStrategy,
  nodes: { keepsStatusOnCreate: true },
  events: { createOnUpdate: true, withoutGarbageCollection: true },
  endpoints: { createOnUpdate: true },
  limitranges: { createOnUpdate: true },
  serviceaccounts: returned,
  resourcequotas: returned,
  podtemplates: { ...returned, ...counted },
  persistentvolumes: persistentVolumeStrategy,
  persistentvolumeclaims: { ...returned, initialStatus: () => ({ phase: "Pending" }) },
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": webhookConfiguration,
  "validatingwebhookconfigurations.admissionregistration.k8s.io": webhookConfiguration,
  "validatingadmissionpolicies.admissionregistration.k8s.io": counted,
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": counted,
  "customresourcedefinitions.apiextensions.k8s.io": customResourceDefinitionStrategy,
  "deployments.apps": deploymentStrategy,
  "replicasets.apps": { ...counted, initialStatus: () => ({ replicas: 0 }) },
  "statefulsets.apps": { ...counted, initialStatus: () => ({ replicas: 0, availableReplicas: 0 }) },
  "daemonsets.apps": daemonSetStrategy,
  "horizontalpodautoscalers.autoscaling": {
    initialStatus: () => ({ currentMetrics: null, desiredReplicas: 0 }),
  },
  "jobs.batch": jobStrategy,
  "cronjobs.batch": counted,
  "leases.coordination.k8s.io": { createOnUpdate: true, unconditionalUpdate: false },
  "endpointslices.discovery.k8s.io": {
    generation: true,
    // It has no spec: everything but metadata counts, and of that the labels.
    generationChanged: ({ metadata, ...content }, { metadata: oldMetadata, ...oldContent }) =>
      !isDeepStrictEqual(content, oldContent) ||
      !isDeepStrictEqual(metadata.labels ?? {}, oldMetadata.labels ?? {}),
  },
  "ingresses.networking.k8s.io": { ...counted, initialStatus: () => ({ loadBalancer: {} }) },
  "ingressclasses.networking.k8s.io": counted,
  "networkpolicies.networking.k8s.io": counted,
  "poddisruptionbudgets.policy": {
    ...counted,
    unconditionalUpdate: false,
    initialStatus: () => ({ currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 }),
  },
  "roles.rbac.authorization.k8s.io": roleStrategy,
  "rolebindings.rbac.authorization.k8s.io": bindingStrategy,
  "clusterroles.rbac.authorization.k8s.io": roleStrategy,
  "clusterrolebindings.rbac.authorization.k8s.io": bindingStrategy,
  "priorityclasses.scheduling.k8s.io": counted,
  "storageclasses.storage.k8s.io": returned,
};

const none: Strategy = {};

export function strategyOf(type: ResourceType): Strategy {
  return type.custom === undefined ? (strategies[collectionOf(type)] ?? none) : customResourceStrategy;
}
