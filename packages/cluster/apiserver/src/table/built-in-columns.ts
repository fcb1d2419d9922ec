import type { ResourceType } from "../types/resource-type.ts";
import {
  policyBindingPrinter,
  validatingAdmissionPolicyPrinter,
  webhookConfigurationPrinter,
} from "./kinds/admission-registration.ts";
import { configMapPrinter } from "./kinds/config-map.ts";
import { controllerRevisionPrinter } from "./kinds/controller-revision.ts";
import { cronJobPrinter } from "./kinds/cron-job.ts";
import { daemonSetPrinter } from "./kinds/daemon-set.ts";
import { deploymentPrinter } from "./kinds/deployment.ts";
import { endpointSlicePrinter } from "./kinds/endpoint-slice.ts";
import { endpointsPrinter } from "./kinds/endpoints.ts";
import { eventPrinter } from "./kinds/event.ts";
import { horizontalPodAutoscalerPrinter } from "./kinds/horizontal-pod-autoscaler.ts";
import { ingressPrinter } from "./kinds/ingress.ts";
import { ingressClassPrinter } from "./kinds/ingress-class.ts";
import { jobPrinter } from "./kinds/job.ts";
import { leasePrinter } from "./kinds/lease.ts";
import { namespacePrinter } from "./kinds/namespace.ts";
import { networkPolicyPrinter } from "./kinds/network-policy.ts";
import { nodePrinter } from "./kinds/node.ts";
import { persistentVolumePrinter } from "./kinds/persistent-volume.ts";
import { persistentVolumeClaimPrinter } from "./kinds/persistent-volume-claim.ts";
import { podPrinter } from "./kinds/pod.ts";
import { podDisruptionBudgetPrinter } from "./kinds/pod-disruption-budget.ts";
import { podTemplatePrinter } from "./kinds/pod-template.ts";
import { priorityClassPrinter } from "./kinds/priority-class.ts";
import { replicaSetPrinter } from "./kinds/replica-set.ts";
import { resourceQuotaPrinter } from "./kinds/resource-quota.ts";
import { roleBindingPrinter } from "./kinds/role-binding.ts";
import { secretPrinter } from "./kinds/secret.ts";
import { servicePrinter } from "./kinds/service.ts";
import { serviceAccountPrinter } from "./kinds/service-account.ts";
import { statefulSetPrinter } from "./kinds/stateful-set.ts";
import { storageClassPrinter } from "./kinds/storage-class.ts";
import type { Printer } from "./printer.ts";
import { definePrinter, nameOf } from "./printer.ts";

/** By `group/plural`: the versions of a kind have the same columns. */
const printers: Readonly<Record<string, Printer>> = {
  "/configmaps": configMapPrinter,
  "/endpoints": endpointsPrinter,
  "/events": eventPrinter,
  "/namespaces": namespacePrinter,
  "/nodes": nodePrinter,
  "/persistentvolumeclaims": persistentVolumeClaimPrinter,
  "/persistentvolumes": persistentVolumePrinter,
  "/pods": podPrinter,
  "/podtemplates": podTemplatePrinter,
  "/resourcequotas": resourceQuotaPrinter,
  "/secrets": secretPrinter,
  "/serviceaccounts": serviceAccountPrinter,
  "/services": servicePrinter,
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": webhookConfigurationPrinter,
  "admissionregistration.k8s.io/validatingadmissionpolicies": validatingAdmissionPolicyPrinter,
  "admissionregistration.k8s.io/validatingadmissionpolicybindings": policyBindingPrinter,
  "admissionregistration.k8s.io/validatingwebhookconfigurations": webhookConfigurationPrinter,
  "apps/controllerrevisions": controllerRevisionPrinter,
  "apps/daemonsets": daemonSetPrinter,
  "apps/deployments": deploymentPrinter,
  "apps/replicasets": replicaSetPrinter,
  "apps/statefulsets": statefulSetPrinter,
  "batch/cronjobs": cronJobPrinter,
  "batch/jobs": jobPrinter,
  "coordination.k8s.io/leases": leasePrinter,
  "discovery.k8s.io/endpointslices": endpointSlicePrinter,
  "events.k8s.io/events": eventPrinter,
  "networking.k8s.io/ingressclasses": ingressClassPrinter,
  "networking.k8s.io/ingresses": ingressPrinter,
  "networking.k8s.io/networkpolicies": networkPolicyPrinter,
  "autoscaling/horizontalpodautoscalers": horizontalPodAutoscalerPrinter,
  "policy/poddisruptionbudgets": podDisruptionBudgetPrinter,
  "rbac.authorization.k8s.io/clusterrolebindings": roleBindingPrinter,
  "rbac.authorization.k8s.io/rolebindings": roleBindingPrinter,
  "scheduling.k8s.io/priorityclasses": priorityClassPrinter,
  "storage.k8s.io/storageclasses": storageClassPrinter,
};

/** Name and Created At, which is a date and not an age: for the kinds that have no printer of their own. */
const defaultPrinter = definePrinter((object) => [nameOf(object), object.metadata.creationTimestamp ?? null]);

export function builtInPrinter(type: ResourceType): Printer {
  return printers[`${type.group}/${type.plural}`] ?? defaultPrinter;
}
