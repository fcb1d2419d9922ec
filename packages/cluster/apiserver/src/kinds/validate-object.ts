import { validateCrd } from "../apiextensions/definition/validate-crd.ts";
import type { StatusCause } from "../apimachinery/errors.ts";
import { validateObjectMeta } from "../apimachinery/validation/object-meta.ts";
import { isDns1123Label, isPathSegment } from "../lib/formats/names.ts";
import type { ApiObject } from "../lib/json/json.ts";
import { object as objectOf } from "../lib/json/read.ts";
import { validateValidatingAdmissionPolicy } from "./admissionregistration/admission-policy.ts";
import { validatePolicyBinding } from "./admissionregistration/admission-policy-binding.ts";
import { validateWebhookConfiguration } from "./admissionregistration/webhook-configuration.ts";
import { validateDaemonSet } from "./apps/daemon-set.ts";
import { validateDeployment } from "./apps/deployment.ts";
import { validateReplicaSet } from "./apps/replica-set.ts";
import { validateStatefulSet } from "./apps/stateful-set.ts";
import { validateCronJob } from "./batch/cron-job.ts";
import { validateJob } from "./batch/job.ts";
import { validateLease } from "./coordination/lease.ts";
import { validateConfigMap } from "./core/config-map.ts";
import { validateEvent } from "./core/event.ts";
import { validateLimitRange } from "./core/limit-range.ts";
import { validateNamespace, validateNamespaceStatus } from "./core/namespace.ts";
import { validateNode } from "./core/node.ts";
import { validatePersistentVolumeClaim } from "./core/persistent-volume-claim.ts";
import { validatePodCreate, validatePodUpdate } from "./core/pod/validation/pod.ts";
import { validatePodSpec } from "./core/pod/validation/pod-spec.ts";
import { validateResourceQuota } from "./core/resource-quota.ts";
import { validateSecret } from "./core/secret.ts";
import { validateService, validateServiceStatus } from "./core/service/validation.ts";
import { validateEndpointSlice } from "./discovery/endpoint-slice.ts";
import { validateIngress } from "./networking/ingress.ts";
import { validateNetworkPolicy } from "./networking/network-policy.ts";
import { validatePodDisruptionBudget } from "./policy/pod-disruption-budget.ts";
import { validateBinding, validateRole } from "./rbac/roles.ts";
import { validatePriorityClass } from "./scheduling/priority-class.ts";
import { validateStorageClass } from "./storage/storage-class.ts";

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
