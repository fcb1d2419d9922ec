/** A built-in kind for which `@operator-path/client` has a Resource. */
export interface BuiltInKind {
  /** The full group: "apps", "networking.k8s.io", or "" for core. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The client's name of the Resource: "deployments". */
  readonly resource: string;
}

export const builtInKinds: readonly BuiltInKind[] = [
  ["", "v1", "ConfigMap", "configMaps"],
  ["", "v1", "Event", "events"],
  ["", "v1", "Namespace", "namespaces"],
  ["", "v1", "Node", "nodes"],
  ["", "v1", "PersistentVolume", "persistentVolumes"],
  ["", "v1", "PersistentVolumeClaim", "persistentVolumeClaims"],
  ["", "v1", "Pod", "pods"],
  ["", "v1", "ResourceQuota", "resourceQuotas"],
  ["", "v1", "Secret", "secrets"],
  ["", "v1", "Service", "services"],
  ["", "v1", "ServiceAccount", "serviceAccounts"],
  ["admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration", "mutatingWebhookConfigurations"],
  ["admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration", "validatingWebhookConfigurations"],
  ["apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customResourceDefinitions"],
  ["apps", "v1", "DaemonSet", "daemonSets"],
  ["apps", "v1", "Deployment", "deployments"],
  ["apps", "v1", "ReplicaSet", "replicaSets"],
  ["apps", "v1", "StatefulSet", "statefulSets"],
  ["autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalPodAutoscalers"],
  ["batch", "v1", "CronJob", "cronJobs"],
  ["batch", "v1", "Job", "jobs"],
  ["coordination.k8s.io", "v1", "Lease", "leases"],
  ["discovery.k8s.io", "v1", "EndpointSlice", "endpointSlices"],
  ["networking.k8s.io", "v1", "Ingress", "ingresses"],
  ["networking.k8s.io", "v1", "NetworkPolicy", "networkPolicies"],
  ["policy", "v1", "PodDisruptionBudget", "podDisruptionBudgets"],
  ["rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterRoles"],
  ["rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterRoleBindings"],
  ["rbac.authorization.k8s.io", "v1", "Role", "roles"],
  ["rbac.authorization.k8s.io", "v1", "RoleBinding", "roleBindings"],
  ["storage.k8s.io", "v1", "StorageClass", "storageClasses"],
].map(([group = "", version = "", kind = "", resource = ""]) => ({ group, version, kind, resource }));

/**
 * Finds a built-in kind.
 *
 * @param wanted.group the group in the form of flags: "apps", "core", or "networking" for "networking.k8s.io"
 */
export function findBuiltInKind(wanted: {
  group: string;
  version: string;
  kind: string;
}): BuiltInKind | undefined {
  return builtInKinds.find(
    ({ group, version, kind }) =>
      version === wanted.version && kind === wanted.kind && shortGroup(group) === wanted.group,
  );
}

/** Returns the group in the form of flags and PROJECT: "core", "apps", "networking". */
function shortGroup(group: string): string {
  return group === "" ? "core" : (group.split(".")[0] ?? "");
}
