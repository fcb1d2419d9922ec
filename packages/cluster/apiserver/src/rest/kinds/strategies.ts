import type { ResourceType } from "../../types/resource-type.ts";
import { collectionOf } from "../context.ts";
import type { Strategy } from "../strategy.ts";
import { customResourceStrategy } from "./custom-resource.ts";
import { customResourceDefinitionStrategy } from "./custom-resource-definition.ts";
import { deploymentStrategy } from "./deployment.ts";
import { namespaceStrategy } from "./namespace.ts";
import { podStrategy } from "./pod.ts";
import { serviceStrategy } from "./service.ts";

const counted: Strategy = { generation: true };
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
  persistentvolumes: { ...returned, initialStatus: () => ({ phase: "Pending" }) },
  persistentvolumeclaims: { ...returned, initialStatus: () => ({ phase: "Pending" }) },
  "customresourcedefinitions.apiextensions.k8s.io": customResourceDefinitionStrategy,
  "deployments.apps": deploymentStrategy,
  "replicasets.apps": { ...counted, initialStatus: () => ({ replicas: 0 }) },
  "statefulsets.apps": { ...counted, initialStatus: () => ({ replicas: 0, availableReplicas: 0 }) },
  "daemonsets.apps": {
    ...counted,
    initialStatus: () => ({
      currentNumberScheduled: 0,
      desiredNumberScheduled: 0,
      numberMisscheduled: 0,
      numberReady: 0,
    }),
  },
  "jobs.batch": counted,
  "cronjobs.batch": counted,
  "leases.coordination.k8s.io": { createOnUpdate: true, unconditionalUpdate: false },
  "endpointslices.discovery.k8s.io": counted,
  "ingresses.networking.k8s.io": counted,
  "ingressclasses.networking.k8s.io": counted,
  "networkpolicies.networking.k8s.io": counted,
  "poddisruptionbudgets.policy": { ...counted, unconditionalUpdate: false },
  "roles.rbac.authorization.k8s.io": { createOnUpdate: true },
  "rolebindings.rbac.authorization.k8s.io": { createOnUpdate: true },
  "clusterroles.rbac.authorization.k8s.io": { createOnUpdate: true },
  "clusterrolebindings.rbac.authorization.k8s.io": { createOnUpdate: true },
  "priorityclasses.scheduling.k8s.io": counted,
  "storageclasses.storage.k8s.io": returned,
};

const none: Strategy = {};

export function strategyOf(type: ResourceType): Strategy {
  return type.custom === undefined ? (strategies[collectionOf(type)] ?? none) : customResourceStrategy;
}
