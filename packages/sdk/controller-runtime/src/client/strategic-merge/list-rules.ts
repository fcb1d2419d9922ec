/** How an API server merges a list: item by item with a key field, as a set, or atomically as a whole. */
export type ListRule = { readonly key: string } | "set" | "atomic";

/** The path of the Pod spec in each kind. */
const podSpecs: Readonly<Record<string, string>> = {
  Pod: "spec",
  Deployment: "spec.template.spec",
  ReplicaSet: "spec.template.spec",
  StatefulSet: "spec.template.spec",
  DaemonSet: "spec.template.spec",
  Job: "spec.template.spec",
  CronJob: "spec.jobTemplate.spec.template.spec",
};

/** Rules inside a Pod spec. The keys are x-kubernetes-patch-merge-key in the server's OpenAPI document. */
const podRules: readonly [RegExp, ListRule][] = [
  [/^(containers|initContainers|ephemeralContainers|volumes)$/, { key: "name" }],
  [/^(imagePullSecrets|schedulingGates|resourceClaims)$/, { key: "name" }],
  [/^(init|ephemeral)?[cC]ontainers\.\*\.env$/, { key: "name" }],
  [/^(init|ephemeral)?[cC]ontainers\.\*\.ports$/, { key: "containerPort" }],
  [/^(init|ephemeral)?[cC]ontainers\.\*\.volumeMounts$/, { key: "mountPath" }],
  [/^(init|ephemeral)?[cC]ontainers\.\*\.volumeDevices$/, { key: "devicePath" }],
  [/^hostAliases$/, { key: "ip" }],
  [/^topologySpreadConstraints$/, { key: "topologyKey" }],
  [/^(tolerations|readinessGates|(init|ephemeral)?[cC]ontainers\.\*\.envFrom)$/, "atomic"],
  [/^(volumes\.\*|affinity)\./, "atomic"],
];

const conditionKinds = new Set([
  ...["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "Pod", "Node", "Namespace", "Service"],
  ...["PersistentVolumeClaim", "PodDisruptionBudget", "HorizontalPodAutoscaler"],
]);

/** Kinds in which only lists of the metadata are merged. */
const atomicKinds = new Set([
  ...["ConfigMap", "Secret", "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"],
  ...["Ingress", "NetworkPolicy", "EndpointSlice", "Lease"],
]);

const kindRules: Readonly<Record<string, readonly [RegExp, ListRule][]>> = {
  Service: [[/^spec\.ports$/, { key: "port" }]],
  ServiceAccount: [
    [/^secrets$/, { key: "name" }],
    [/^imagePullSecrets$/, "atomic"],
  ],
  Node: [
    [/^status\.addresses$/, { key: "type" }],
    [/^spec\.podCIDRs$/, "set"],
    [/^spec\.taints$/, "atomic"],
  ],
  ...Object.fromEntries(
    ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"].map((kind) => [
      kind,
      [
        [/^webhooks$/, { key: "name" }],
        [/^webhooks\.\*\.matchConditions$/, { key: "name" }],
        [/^webhooks\.\*\.rules$/, "atomic"],
      ],
    ]),
  ),
};

/**
 * Returns how a built-in kind merges the list at a path ("spec.template.spec.containers.*.env"). Returns
 * undefined for a list of objects without a known rule.
 */
export function listRuleOf(kind: string, path: string, isOfObjects: boolean): ListRule | undefined {
  if (/(^|\.)metadata\.ownerReferences$/.test(path)) return { key: "uid" };
  if (/(^|\.)metadata\.finalizers$/.test(path)) return "set";
  if (path === "status.conditions" && conditionKinds.has(kind)) return { key: "type" };
  const podSpec = podSpecs[kind];
  const own: readonly [RegExp, ListRule][] =
    podSpec && path.startsWith(`${podSpec}.`) ? podRules : (kindRules[kind] ?? []);
  const inside = own === podRules ? path.slice(`${podSpec}.`.length) : path;
  const [, rule] = own.find(([pattern]) => pattern.test(inside)) ?? [];
  if (rule) return rule;
  const isAtomic = !isOfObjects || /\.matchExpressions$/.test(path) || atomicKinds.has(kind);
  return isAtomic ? "atomic" : undefined;
}
