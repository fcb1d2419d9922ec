import { validateCrd } from "../crd/validate-crd.ts";
import type { StatusCause } from "../errors.ts";
import { isDns1123Label, isPathSegment } from "../formats/names.ts";
import type { ApiObject } from "../json.ts";
import { validateValidatingAdmissionPolicy } from "./admission-policy.ts";
import { validatePolicyBinding } from "./admission-policy-binding.ts";
import { validateConfigMap } from "./config-map.ts";
import { validateEndpointSlice } from "./endpoint-slice.ts";
import { validateEvent } from "./event.ts";
import { validateIngress } from "./ingress.ts";
import { validateCronJob, validateJob } from "./job.ts";
import { validateLease } from "./lease.ts";
import { validateLimitRange } from "./limit-range.ts";
import { validateNamespace, validateNamespaceStatus } from "./namespace.ts";
import { validateNetworkPolicy } from "./network-policy.ts";
import { validateNode } from "./node.ts";
import { validateObjectMeta } from "./object-meta.ts";
import { validatePersistentVolumeClaim } from "./persistent-volume-claim.ts";
import { validatePodCreate, validatePodUpdate } from "./pod.ts";
import { validatePodDisruptionBudget } from "./pod-disruption-budget.ts";
import { validatePodSpec } from "./pod-spec.ts";
import { validatePriorityClass } from "./priority-class.ts";
import { validateBinding, validateRole } from "./rbac.ts";
import { object as objectOf } from "./read.ts";
import { validateResourceQuota } from "./resource-quota.ts";
import { validateSecret } from "./secret.ts";
import { validateService, validateServiceStatus } from "./service.ts";
import { validateStorageClass } from "./storage-class.ts";
import { validateWebhookConfiguration } from "./webhook-configuration.ts";
import {
  validateDaemonSet,
  validateDeployment,
  validateReplicaSet,
  validateStatefulSet,
} from "./workloads.ts";

export interface ObjectType {
  group: string;
  version: string;
  kind: string;
  namespaced: boolean;
}

export interface ValidationContext {
  /** The object before an update. */
  old?: ApiObject | undefined;
  /** "", "status", "ephemeralcontainers", … */
  subresource?: string | undefined;
}

/** What names of a kind are like, where it is not a lowercase RFC 1123 subdomain. */
const nameRules: Record<string, (name: string) => string[]> = {
  "/Namespace": isDns1123Label,
  "/Service": isDns1123Label,
  "rbac.authorization.k8s.io/Role": isPathSegment,
  "rbac.authorization.k8s.io/RoleBinding": isPathSegment,
  "rbac.authorization.k8s.io/ClusterRole": isPathSegment,
  "rbac.authorization.k8s.io/ClusterRoleBinding": isPathSegment,
};

type Rule = (object: ApiObject, old: ApiObject | undefined) => StatusCause[];

const byKind: Record<string, Rule> = {
  "/ConfigMap": validateConfigMap,
  "/Event": validateEvent,
  "/LimitRange": validateLimitRange,
  "/Namespace": validateNamespace,
  "/Node": validateNode,
  "/Pod": (pod, old) => (old === undefined ? validatePodCreate(pod) : validatePodUpdate(pod, old)),
  "/PersistentVolumeClaim": validatePersistentVolumeClaim,
  "/ResourceQuota": validateResourceQuota,
  "/Secret": validateSecret,
  "/Service": validateService,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": validateWebhookConfiguration,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": validateValidatingAdmissionPolicy,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": validatePolicyBinding,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": validateWebhookConfiguration,
  "apiextensions.k8s.io/CustomResourceDefinition": validateCrd,
  "apps/DaemonSet": validateDaemonSet,
  "apps/Deployment": validateDeployment,
  "apps/ReplicaSet": validateReplicaSet,
  "apps/StatefulSet": validateStatefulSet,
  "batch/CronJob": validateCronJob,
  "batch/Job": validateJob,
  "coordination.k8s.io/Lease": validateLease,
  "discovery.k8s.io/EndpointSlice": validateEndpointSlice,
  "networking.k8s.io/Ingress": validateIngress,
  "networking.k8s.io/NetworkPolicy": validateNetworkPolicy,
  "policy/PodDisruptionBudget": validatePodDisruptionBudget,
  "rbac.authorization.k8s.io/ClusterRole": (role) => validateRole(role, false),
  "rbac.authorization.k8s.io/ClusterRoleBinding": (binding, old) => validateBinding(binding, false, old),
  "rbac.authorization.k8s.io/Role": (role) => validateRole(role, true),
  "rbac.authorization.k8s.io/RoleBinding": (binding, old) => validateBinding(binding, true, old),
  "scheduling.k8s.io/PriorityClass": validatePriorityClass,
  "storage.k8s.io/StorageClass": validateStorageClass,
};

/** What is checked of a status. */
const ofStatus: Record<string, (object: ApiObject) => StatusCause[]> = {
  "/Namespace": validateNamespaceStatus,
  "/Service": validateServiceStatus,
};

/**
 * Checks a built-in object that is about to be stored, defaults included (Validate… of each API package). Kinds without
 * rules of their own are checked for their metadata only.
 * @returns nothing where the object may be stored
 */
export function validateObject(
  object: ApiObject,
  type: ObjectType,
  { old, subresource = "" }: ValidationContext,
): StatusCause[] {
  const key = `${type.group}/${type.kind}`;
  const causes = validateObjectMeta(object.metadata, "metadata", {
    namespaced: type.namespaced,
    name: nameRules[key],
    coreKind: type.group === "",
    old: old?.metadata,
  });
  if (subresource === "ephemeralcontainers") {
    const spec = validatePodSpec(objectOf(object.spec), "spec");
    return [...causes, ...spec.filter(({ field }) => field?.startsWith("spec.ephemeralContainers"))];
  }
  // What another subresource changes (bindings set spec.nodeName), it has checked itself.
  if (subresource === "status") return [...causes, ...(ofStatus[key]?.(object) ?? [])];
  if (subresource !== "") return causes;
  return [...causes, ...(byKind[key]?.(object, old) ?? [])];
}
