import type { Printer } from "../server/table/printer.ts";
import { definePrinter, nameOf } from "../server/table/printer.ts";
import type { ResourceType } from "../server/types/resource-type.ts";
import {
  policyBindingPrinter,
  validatingAdmissionPolicyPrinter,
  webhookConfigurationPrinter,
} from "./admissionregistration/columns.ts";
import { controllerRevisionPrinter } from "./apps/controller-revision-columns.ts";
import { daemonSetPrinter } from "./apps/daemon-set-columns.ts";
import { deploymentPrinter } from "./apps/deployment-columns.ts";
import { replicaSetPrinter } from "./apps/replica-set-columns.ts";
import { statefulSetPrinter } from "./apps/stateful-set-columns.ts";
import { horizontalPodAutoscalerPrinter } from "./autoscaling/horizontal-pod-autoscaler-columns.ts";
import { cronJobPrinter } from "./batch/cron-job-columns.ts";
import { jobPrinter } from "./batch/job-columns.ts";
import { leasePrinter } from "./coordination/lease-columns.ts";
import { configMapPrinter } from "./core/config-map-columns.ts";
import { endpointsPrinter } from "./core/endpoints-columns.ts";
import { eventPrinter } from "./core/event-columns.ts";
import { namespacePrinter } from "./core/namespace-columns.ts";
import { nodePrinter } from "./core/node-columns.ts";
import { persistentVolumeClaimPrinter } from "./core/persistent-volume-claim-columns.ts";
import { persistentVolumePrinter } from "./core/persistent-volume-columns.ts";
import { podPrinter } from "./core/pod/columns.ts";
import { podTemplatePrinter } from "./core/pod-template-columns.ts";
import { resourceQuotaPrinter } from "./core/resource-quota-columns.ts";
import { secretPrinter } from "./core/secret-columns.ts";
import { servicePrinter } from "./core/service/columns.ts";
import { serviceAccountPrinter } from "./core/service-account-columns.ts";
import { endpointSlicePrinter } from "./discovery/endpoint-slice-columns.ts";
import { ingressClassPrinter } from "./networking/ingress-class-columns.ts";
import { ingressPrinter } from "./networking/ingress-columns.ts";
import { networkPolicyPrinter } from "./networking/network-policy-columns.ts";
import { podDisruptionBudgetPrinter } from "./policy/pod-disruption-budget-columns.ts";
import { roleBindingPrinter } from "./rbac/columns.ts";
import { priorityClassPrinter } from "./scheduling/priority-class-columns.ts";
import { storageClassPrinter } from "./storage/storage-class-columns.ts";

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
