import type { AdmissionPlugin } from "../../server/admission/admission.ts";
import { validatingPolicies } from "../../server/admission/policies/validating.ts";
import { mutatingWebhooks } from "../../server/admission/webhooks/mutating.ts";
import { validatingWebhooks } from "../../server/admission/webhooks/validating.ts";
import { defaultIngressClass, defaultStorageClass, persistentVolumeClaimResize } from "./default-classes.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { limitRanger } from "./limit-ranger.ts";
import { ownerReferencesPermissionEnforcement } from "./owner-references.ts";
import { createPodSecurity } from "./pod-security/pod-security.ts";
import type { Level as PodSecurityLevel } from "./pod-security/policy.ts";
import { priority } from "./priority.ts";
import { resourceQuota } from "./resource-quota/resource-quota.ts";
import { runtimeClass } from "./runtime-class.ts";
import { serviceAccount } from "./service-account.ts";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection.ts";
import { taintNodesByCondition } from "./taint-nodes-by-condition.ts";

/**
 * Returns the plugins in the order of kube-apiserver (AllOrderedPlugins of k8s.io/kubernetes).
 * @param podSecurity the Pod Security level of namespaces without a label. Default: `privileged`
 */
export function createAdmissionPlugins(podSecurity?: PodSecurityLevel): readonly AdmissionPlugin[] {
  return [
    limitRanger,
    serviceAccount,
    taintNodesByCondition,
    createPodSecurity(podSecurity),
    priority,
    defaultTolerationSeconds,
    defaultStorageClass,
    storageObjectInUseProtection,
    persistentVolumeClaimResize,
    runtimeClass,
    ownerReferencesPermissionEnforcement,
    defaultIngressClass,
    mutatingWebhooks(),
    validatingPolicies(),
    validatingWebhooks(),
    resourceQuota,
  ];
}
