import type { Printer } from "../server/table/printer.ts";
import { definePrinter, nameOf } from "../server/table/printer.ts";
import type { ResourceType } from "../server/types/resource-type.ts";
import { validatingAdmissionPolicyPrinter } from "./admissionregistration/admission-policy.ts";
import { policyBindingPrinter } from "./admissionregistration/admission-policy-binding.ts";
import { webhookConfigurationPrinter } from "./admissionregistration/webhook-configuration.ts";
import { controllerRevisionPrinter } from "./apps/controller-revision.ts";
import { daemonSetPrinter } from "./apps/daemon-set.ts";
import { deploymentPrinter } from "./apps/deployment.ts";
import { replicaSetPrinter } from "./apps/replica-set.ts";
import { statefulSetPrinter } from "./apps/stateful-set.ts";
import { horizontalPodAutoscalerPrinter } from "./autoscaling/horizontal-pod-autoscaler.ts";
import { cronJobPrinter } from "./batch/cron-job.ts";
import { jobPrinter } from "./batch/job.ts";
import { leasePrinter } from "./coordination/lease.ts";
import { configMapPrinter } from "./core/config-map.ts";
import { endpointsPrinter } from "./core/endpoints.ts";
import { eventPrinter } from "./core/event.ts";
import { namespacePrinter } from "./core/namespace.ts";
import { nodePrinter } from "./core/node.ts";
import { persistentVolumePrinter } from "./core/persistent-volume.ts";
import { persistentVolumeClaimPrinter } from "./core/persistent-volume-claim.ts";
import { podPrinter } from "./core/pod/columns.ts";
import { podTemplatePrinter } from "./core/pod-template.ts";
import { resourceQuotaPrinter } from "./core/resource-quota.ts";
import { secretPrinter } from "./core/secret.ts";
import { servicePrinter } from "./core/service/columns.ts";
import { serviceAccountPrinter } from "./core/service-account.ts";
import { endpointSlicePrinter } from "./discovery/endpoint-slice.ts";
import { ingressPrinter } from "./networking/ingress.ts";
import { ingressClassPrinter } from "./networking/ingress-class.ts";
import { networkPolicyPrinter } from "./networking/network-policy.ts";
import { podDisruptionBudgetPrinter } from "./policy/pod-disruption-budget.ts";
import { roleBindingPrinter } from "./rbac/roles.ts";
import { priorityClassPrinter } from "./scheduling/priority-class.ts";
import { storageClassPrinter } from "./storage/storage-class.ts";

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
