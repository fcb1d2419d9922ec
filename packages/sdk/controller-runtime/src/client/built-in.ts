import * as client from "@operator-path/client";

/** The kinds that @operator-path/client exports with the types of their objects. */
const named: readonly client.Resource[] = [
  client.pods,
  client.services,
  client.configMaps,
  client.secrets,
  client.serviceAccounts,
  client.events,
  client.namespaces,
  client.nodes,
  client.persistentVolumes,
  client.persistentVolumeClaims,
  client.resourceQuotas,
  client.deployments,
  client.replicaSets,
  client.statefulSets,
  client.daemonSets,
  client.jobs,
  client.cronJobs,
  client.leases,
  client.endpointSlices,
  client.ingresses,
  client.networkPolicies,
  client.podDisruptionBudgets,
  client.horizontalPodAutoscalers,
  client.storageClasses,
  client.roles,
  client.roleBindings,
  client.clusterRoles,
  client.clusterRoleBindings,
  client.validatingWebhookConfigurations,
  client.mutatingWebhookConfigurations,
  client.customResourceDefinitions,
];

/** The other kinds of Kubernetes 1.36 that have a stable version: "apiVersion kind plural". */
const namespaced = [
  "v1 Endpoints endpoints",
  "v1 LimitRange limitranges",
  "v1 PodTemplate podtemplates",
  "v1 ReplicationController replicationcontrollers",
  "apps/v1 ControllerRevision controllerrevisions",
  "authorization.k8s.io/v1 LocalSubjectAccessReview localsubjectaccessreviews",
  "autoscaling/v1 HorizontalPodAutoscaler horizontalpodautoscalers",
  "events.k8s.io/v1 Event events",
  "resource.k8s.io/v1 ResourceClaim resourceclaims",
  "resource.k8s.io/v1 ResourceClaimTemplate resourceclaimtemplates",
  "storage.k8s.io/v1 CSIStorageCapacity csistoragecapacities",
];
const clusterScoped = [
  "admissionregistration.k8s.io/v1 MutatingAdmissionPolicy mutatingadmissionpolicies",
  "admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding mutatingadmissionpolicybindings",
  "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy validatingadmissionpolicies",
  "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings",
  "apiregistration.k8s.io/v1 APIService apiservices",
  "authentication.k8s.io/v1 SelfSubjectReview selfsubjectreviews",
  "authentication.k8s.io/v1 TokenReview tokenreviews",
  "authorization.k8s.io/v1 SelfSubjectAccessReview selfsubjectaccessreviews",
  "authorization.k8s.io/v1 SelfSubjectRulesReview selfsubjectrulesreviews",
  "authorization.k8s.io/v1 SubjectAccessReview subjectaccessreviews",
  "certificates.k8s.io/v1 CertificateSigningRequest certificatesigningrequests",
  "flowcontrol.apiserver.k8s.io/v1 FlowSchema flowschemas",
  "flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration prioritylevelconfigurations",
  "networking.k8s.io/v1 IPAddress ipaddresses",
  "networking.k8s.io/v1 IngressClass ingressclasses",
  "networking.k8s.io/v1 ServiceCIDR servicecidrs",
  "node.k8s.io/v1 RuntimeClass runtimeclasses",
  "resource.k8s.io/v1 DeviceClass deviceclasses",
  "resource.k8s.io/v1 ResourceSlice resourceslices",
  "scheduling.k8s.io/v1 PriorityClass priorityclasses",
  "storage.k8s.io/v1 CSIDriver csidrivers",
  "storage.k8s.io/v1 CSINode csinodes",
  "storage.k8s.io/v1 VolumeAttachment volumeattachments",
  "storage.k8s.io/v1 VolumeAttributesClass volumeattributesclasses",
];

/** The kinds that every scheme knows. */
export const builtInResources: readonly client.Resource[] = [
  ...named,
  ...namespaced.map((text) => resourceOf(text, true)),
  ...clusterScoped.map((text) => resourceOf(text, false)),
];

function resourceOf(text: string, isNamespaced: boolean): client.Resource {
  const [apiVersion = "", kind = "", plural = ""] = text.split(" ");
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  return client.defineResource({ group, version, kind, plural, namespaced: isNamespaced });
}
