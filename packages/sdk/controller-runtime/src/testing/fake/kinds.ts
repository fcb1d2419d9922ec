import type { Resource } from "@operator-path/client";

// Differences between kinds in kube-apiserver. fake-client.real.slow.test.ts compares this file with a real
// one.

type Kind = Pick<Resource, "group" | "plural">;

/** Groups that contain no CRDs. */
const builtInGroups = new Set([
  ...["", "apps", "autoscaling", "batch", "policy"],
  ...[
    ...["admissionregistration", "apiextensions", "apiregistration", "authentication", "authorization"],
    ...["certificates", "coordination", "discovery", "events", "flowcontrol.apiserver", "internal.apiserver"],
    ...["networking", "node", "rbac.authorization", "resource", "scheduling", "storage", "storagemigration"],
  ].map((group) => `${group}.k8s.io`),
]);

const withStatus = setOf([
  ["", "namespaces nodes persistentvolumes persistentvolumeclaims pods replicationcontrollers"],
  ["", "resourcequotas services"],
  ["apps", "daemonsets deployments replicasets statefulsets"],
  ["autoscaling", "horizontalpodautoscalers"],
  ["batch", "cronjobs jobs"],
  ["policy", "poddisruptionbudgets"],
  ["admissionregistration.k8s.io", "validatingadmissionpolicies"],
  ["apiextensions.k8s.io", "customresourcedefinitions"],
  ["apiregistration.k8s.io", "apiservices"],
  ["certificates.k8s.io", "certificatesigningrequests"],
  ["flowcontrol.apiserver.k8s.io", "flowschemas prioritylevelconfigurations"],
  ["networking.k8s.io", "ingresses servicecidrs"],
  ["resource.k8s.io", "resourceclaims"],
  ["storage.k8s.io", "volumeattachments"],
]);

const withGeneration = setOf([
  ["", "pods replicationcontrollers"],
  ["apps", "daemonsets deployments replicasets statefulsets"],
  ["batch", "cronjobs jobs"],
  ["policy", "poddisruptionbudgets"],
  ["admissionregistration.k8s.io", "mutatingwebhookconfigurations validatingwebhookconfigurations"],
  ["admissionregistration.k8s.io", "validatingadmissionpolicies"],
  ["apiextensions.k8s.io", "customresourcedefinitions"],
  ["discovery.k8s.io", "endpointslices"],
  ["flowcontrol.apiserver.k8s.io", "flowschemas prioritylevelconfigurations"],
  ["networking.k8s.io", "ingresses networkpolicies"],
]);

const onlyConditional = setOf([
  ["policy", "poddisruptionbudgets"],
  ["admissionregistration.k8s.io", "mutatingwebhookconfigurations validatingwebhookconfigurations"],
  ["admissionregistration.k8s.io", "validatingadmissionpolicies validatingadmissionpolicybindings"],
  ["admissionregistration.k8s.io", "mutatingadmissionpolicies mutatingadmissionpolicybindings"],
  ["apiextensions.k8s.io", "customresourcedefinitions"],
  ["apiregistration.k8s.io", "apiservices"],
  ["certificates.k8s.io", "clustertrustbundles podcertificaterequests"],
  ["coordination.k8s.io", "leases leasecandidates"],
  ["node.k8s.io", "runtimeclasses"],
  ["storage.k8s.io", "csidrivers csinodes csistoragecapacities volumeattachments"],
  ["storagemigration.k8s.io", "storageversionmigrations"],
]);

const createdByUpdate = setOf([
  ["", "endpoints events limitranges services"],
  ["coordination.k8s.io", "leases leasecandidates"],
  ["node.k8s.io", "runtimeclasses"],
  ["rbac.authorization.k8s.io", "clusterroles clusterrolebindings roles rolebindings"],
]);

function setOf(groups: readonly (readonly [group: string, plurals: string])[]): ReadonlySet<string> {
  return new Set(
    groups.flatMap(([group, plurals]) => plurals.split(" ").map((plural) => `${group}/${plural}`)),
  );
}

const keyOf = ({ group, plural }: Kind) => `${group}/${plural}`;

export function isBuiltIn({ group }: Kind): boolean {
  return builtInGroups.has(group);
}

export function hasBuiltInStatus(resource: Kind): boolean {
  return withStatus.has(keyOf(resource));
}

/** Custom resources always have a generation. Built-in kinds have one if their strategy increments it. */
export function hasGeneration(resource: Kind): boolean {
  return !isBuiltIn(resource) || withGeneration.has(keyOf(resource));
}

/** Returns whether an update may omit the resourceVersion. apiserver: AllowUnconditionalUpdate. */
export function allowsUnconditionalUpdate(resource: Kind): boolean {
  return isBuiltIn(resource) && !onlyConditional.has(keyOf(resource));
}

/** Returns whether an update of a missing object creates it. apiserver: AllowCreateOnUpdate. */
export function allowsCreateOnUpdate(resource: Kind): boolean {
  return createdByUpdate.has(keyOf(resource));
}
