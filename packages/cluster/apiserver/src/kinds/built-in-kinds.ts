import { validatingAdmissionPolicyKind } from "./admissionregistration/admission-policy.ts";
import { validatingAdmissionPolicyBindingKind } from "./admissionregistration/admission-policy-binding.ts";
import {
  mutatingWebhookConfigurationKind,
  validatingWebhookConfigurationKind,
} from "./admissionregistration/webhook-configuration.ts";
import { controllerRevisionKind } from "./apps/controller-revision.ts";
import { daemonSetKind } from "./apps/daemon-set.ts";
import { deploymentKind } from "./apps/deployment.ts";
import { replicaSetKind } from "./apps/replica-set.ts";
import { statefulSetKind } from "./apps/stateful-set.ts";
import { horizontalPodAutoscalerKind } from "./autoscaling/horizontal-pod-autoscaler.ts";
import { cronJobKind } from "./batch/cron-job.ts";
import { jobKind } from "./batch/job.ts";
import type { BuiltInKind } from "./built-in-kind.ts";
import { leaseKind } from "./coordination/lease.ts";
import { configMapKind } from "./core/config-map.ts";
import { endpointsKind } from "./core/endpoints.ts";
import { eventKind, newerEventKind } from "./core/event.ts";
import { limitRangeKind } from "./core/limit-range.ts";
import { namespaceKind } from "./core/namespace.ts";
import { nodeKind } from "./core/node.ts";
import { persistentVolumeKind } from "./core/persistent-volume.ts";
import { persistentVolumeClaimKind } from "./core/persistent-volume-claim.ts";
import { podKind } from "./core/pod/kind.ts";
import { podTemplateKind } from "./core/pod-template.ts";
import { resourceQuotaKind } from "./core/resource-quota.ts";
import { secretKind } from "./core/secret.ts";
import { serviceKind } from "./core/service/kind.ts";
import { serviceAccountKind } from "./core/service-account.ts";
import { endpointSliceKind } from "./discovery/endpoint-slice.ts";
import { ingressKind } from "./networking/ingress.ts";
import { ingressClassKind } from "./networking/ingress-class.ts";
import { networkPolicyKind } from "./networking/network-policy.ts";
import { podDisruptionBudgetKind } from "./policy/pod-disruption-budget.ts";
import type { GrantContext } from "./rbac/escalation.ts";
import { rbacKinds } from "./rbac/roles.ts";
import { priorityClassKind } from "./scheduling/priority-class.ts";
import { storageClassKind } from "./storage/storage-class.ts";

/**
 * Returns the definitions of the built-in kinds, by `group/plural`.
 * @param grants decides whether a user may grant the permissions in a Role or a binding
 */
export function builtInKinds(grants: GrantContext): Readonly<Record<string, BuiltInKind>> {
  const rbac = Object.entries(rbacKinds(grants)).map(([plural, kind]): [string, BuiltInKind] => [
    `rbac.authorization.k8s.io/${plural}`,
    kind,
  ]);
  return { ...kinds, ...Object.fromEntries(rbac) };
}

const kinds: Readonly<Record<string, BuiltInKind>> = {
  "/configmaps": configMapKind,
  "/endpoints": endpointsKind,
  "/events": eventKind,
  "/limitranges": limitRangeKind,
  "/namespaces": namespaceKind,
  "/nodes": nodeKind,
  "/persistentvolumeclaims": persistentVolumeClaimKind,
  "/persistentvolumes": persistentVolumeKind,
  "/pods": podKind,
  "/podtemplates": podTemplateKind,
  "/resourcequotas": resourceQuotaKind,
  "/secrets": secretKind,
  "/serviceaccounts": serviceAccountKind,
  "/services": serviceKind,
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": mutatingWebhookConfigurationKind,
  "admissionregistration.k8s.io/validatingadmissionpolicies": validatingAdmissionPolicyKind,
  "admissionregistration.k8s.io/validatingadmissionpolicybindings": validatingAdmissionPolicyBindingKind,
  "admissionregistration.k8s.io/validatingwebhookconfigurations": validatingWebhookConfigurationKind,
  "apps/controllerrevisions": controllerRevisionKind,
  "apps/daemonsets": daemonSetKind,
  "apps/deployments": deploymentKind,
  "apps/replicasets": replicaSetKind,
  "apps/statefulsets": statefulSetKind,
  "autoscaling/horizontalpodautoscalers": horizontalPodAutoscalerKind,
  "batch/cronjobs": cronJobKind,
  "batch/jobs": jobKind,
  "coordination.k8s.io/leases": leaseKind,
  "discovery.k8s.io/endpointslices": endpointSliceKind,
  "events.k8s.io/events": newerEventKind,
  "networking.k8s.io/ingressclasses": ingressClassKind,
  "networking.k8s.io/ingresses": ingressKind,
  "networking.k8s.io/networkpolicies": networkPolicyKind,
  "policy/poddisruptionbudgets": podDisruptionBudgetKind,
  "scheduling.k8s.io/priorityclasses": priorityClassKind,
  "storage.k8s.io/storageclasses": storageClassKind,
};
