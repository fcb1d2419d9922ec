import type { Argument } from "./argument.ts";
import type { MarkerDefinition, MarkerField, Target } from "./definition.ts";

const string: MarkerField = { argument: { type: "string" } };
const optional: MarkerField = { ...string, optional: true };
const list: MarkerField = { argument: { type: "slice", item: { type: "string" } } };
const optionalList: MarkerField = { ...list, optional: true };

function plain(name: string, targets: readonly Target[], help: string): MarkerDefinition {
  return { name, targets, arguments: { kind: "none" }, help };
}

function valued(
  name: string,
  targets: readonly Target[],
  type: "string" | "bool",
  help: string,
  isOptional = false,
) {
  const argument: Argument = { type };
  return {
    name,
    targets,
    arguments: { kind: "value", argument, optional: isOptional },
    help,
  } satisfies MarkerDefinition;
}

/** Whether a field has to be there; a `?` in TypeScript says the same, these go before it. */
const presence: readonly MarkerDefinition[] = [
  plain(
    "kubebuilder:validation:Required",
    ["field", "package"],
    "the field has to be there; on a package, all fields",
  ),
  plain(
    "kubebuilder:validation:Optional",
    ["field", "package"],
    "the field may be missing; on a package, all fields",
  ),
  plain("required", ["field"], "the field has to be there"),
  plain("optional", ["field"], "the field may be missing"),
  plain("k8s:required", ["field"], "the field has to be there"),
  plain("k8s:optional", ["field"], "the field may be missing"),
  plain("kubebuilder:validation:Schemaless", ["field"], "the field's type makes no schema: markers alone do"),
  plain("k8s:enum", ["type"], "the strings of a union, sorted, are all that is allowed"),
];

const resource: readonly MarkerDefinition[] = [
  plain("kubebuilder:subresource:status", ["root"], "status is written by requests of its own"),
  {
    name: "kubebuilder:subresource:scale",
    targets: ["root"],
    arguments: { kind: "fields", fields: { specpath: string, statuspath: string, selectorpath: optional } },
    help: "kubectl scale and autoscalers find the numbers of replicas here",
  },
  {
    name: "kubebuilder:printcolumn",
    targets: ["root"],
    repeatable: true,
    arguments: {
      kind: "fields",
      fields: {
        name: string,
        type: string,
        JSONPath: string,
        description: optional,
        format: optional,
        priority: { argument: { type: "int" }, optional: true },
      },
    },
    help: "a column of kubectl get",
  },
  {
    name: "kubebuilder:resource",
    targets: ["root"],
    arguments: {
      kind: "fields",
      fields: {
        path: optional,
        shortName: optionalList,
        categories: optionalList,
        singular: optional,
        scope: optional,
      },
    },
    help: "names and scope of the resource",
  },
  plain("kubebuilder:storageversion", ["root"], "objects are stored in this version"),
  plain("kubebuilder:skipversion", ["root"], "this version is left out"),
  plain("kubebuilder:unservedversion", ["root"], "this version is not served"),
  {
    name: "kubebuilder:deprecatedversion",
    targets: ["root"],
    arguments: { kind: "fields", fields: { warning: optional } },
    help: "who uses this version is warned",
  },
  {
    name: "kubebuilder:metadata",
    targets: ["root"],
    repeatable: true,
    arguments: { kind: "fields", fields: { annotations: optionalList, labels: optionalList } },
    help: "annotations and labels of the CustomResourceDefinition, as key=value",
  },
  {
    name: "kubebuilder:selectablefield",
    targets: ["root"],
    repeatable: true,
    arguments: { kind: "fields", fields: { JSONPath: string } },
    help: "a field that field selectors may name",
  },
];

const group: readonly MarkerDefinition[] = [
  valued("groupName", ["package"], "string", "the API group of the folder's types", true),
  valued("versionName", ["package"], "string", "their version, in place of the folder's name"),
  plain("kubebuilder:skip", ["package"], "the folder is passed over"),
  valued("kubebuilder:object:generate", ["package", "type", "root"], "bool", "whether code is generated"),
  valued("kubebuilder:object:root", ["type", "root"], "bool", "the type is an object of its own"),
];

const rbac: MarkerDefinition = {
  name: "kubebuilder:rbac",
  targets: ["package"],
  repeatable: true,
  arguments: {
    kind: "fields",
    fields: {
      groups: optionalList,
      resources: optionalList,
      resourceNames: optionalList,
      verbs: list,
      urls: optionalList,
      namespace: optional,
      roleName: optional,
    },
  },
  help: "something that the operator is allowed to do",
};

const webhooks: readonly MarkerDefinition[] = [
  {
    name: "kubebuilder:webhook",
    targets: ["package"],
    repeatable: true,
    arguments: {
      kind: "fields",
      fields: {
        mutating: { argument: { type: "bool" } },
        failurePolicy: string,
        matchPolicy: optional,
        sideEffects: optional,
        timeoutSeconds: { argument: { type: "int" }, optional: true },
        groups: list,
        resources: list,
        verbs: list,
        versions: list,
        name: string,
        serviceName: optional,
        serviceNamespace: optional,
        path: optional,
        servicePort: { argument: { type: "int" }, optional: true },
        webhookVersions: optionalList,
        admissionReviewVersions: list,
        reinvocationPolicy: optional,
        url: optional,
      },
    },
    help: "an admission webhook that the operator serves",
  },
  {
    name: "kubebuilder:webhookconfiguration",
    targets: ["package"],
    repeatable: true,
    arguments: { kind: "fields", fields: { mutating: { argument: { type: "bool" } }, name: optional } },
    help: "the name of the object that lists the webhooks",
  },
];

/** All markers that do not change schemas by themselves. */
export const otherMarkers: readonly MarkerDefinition[] = [
  ...presence,
  ...resource,
  ...group,
  rbac,
  ...webhooks,
];
