/**
 * The built-in resources that the server serves, by `group/version`. The type data knows every stable kind of
 * Kubernetes. Kinds without a controller here are not served, so that no client waits for one.
 */
export const servedResources: Readonly<Record<string, readonly string[]>> = {
  "/v1": [
    "bindings",
    "configmaps",
    "endpoints",
    "events",
    "limitranges",
    "namespaces",
    "nodes",
    "persistentvolumeclaims",
    "persistentvolumes",
    "pods",
    "podtemplates",
    "resourcequotas",
    "secrets",
    "serviceaccounts",
    "services",
  ],
  "admissionregistration.k8s.io/v1": [
    "mutatingwebhookconfigurations",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "validatingwebhookconfigurations",
  ],
  "apiextensions.k8s.io/v1": ["customresourcedefinitions"],
  "apps/v1": ["controllerrevisions", "daemonsets", "deployments", "replicasets", "statefulsets"],
  "authentication.k8s.io/v1": ["selfsubjectreviews", "tokenreviews"],
  "authorization.k8s.io/v1": [
    "localsubjectaccessreviews",
    "selfsubjectaccessreviews",
    "selfsubjectrulesreviews",
    "subjectaccessreviews",
  ],
  // Only the stored version: this server does not convert between the two.
  "autoscaling/v2": ["horizontalpodautoscalers"],
  "batch/v1": ["cronjobs", "jobs"],
  "coordination.k8s.io/v1": ["leases"],
  "discovery.k8s.io/v1": ["endpointslices"],
  "events.k8s.io/v1": ["events"],
  "networking.k8s.io/v1": ["ingressclasses", "ingresses", "networkpolicies"],
  "policy/v1": ["poddisruptionbudgets"],
  "rbac.authorization.k8s.io/v1": ["clusterrolebindings", "clusterroles", "rolebindings", "roles"],
  "scheduling.k8s.io/v1": ["priorityclasses"],
  "storage.k8s.io/v1": ["storageclasses"],
};

/** Subresources that are not served although their resource is. */
export const unservedSubresources: readonly string[] = ["pods/resize"];
