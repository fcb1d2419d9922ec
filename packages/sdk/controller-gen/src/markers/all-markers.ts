import type { ValidationRule } from "../schema/schema.ts";
import type { Json } from "../yaml/emit.ts";
import type { MarkerArguments, MarkerDefinition, MarkerField, Target } from "./definition.ts";
import {
  addRule,
  assigning,
  both,
  choice,
  flag,
  numeric,
  oneOf,
  requireType,
  type SchemaMarker,
  sized,
  textual,
  type Unplaced,
} from "./schema-marker-forms.ts";

// This file defines every marker. The README says how to add one.

const number: MarkerArguments = { kind: "value", argument: { type: "number" } };
const int: MarkerArguments = { kind: "value", argument: { type: "int" } };
const bool: MarkerArguments = { kind: "value", argument: { type: "bool" } };
const string: MarkerArguments = { kind: "value", argument: { type: "string" } };
const any: MarkerArguments = { kind: "value", argument: { type: "any" } };
const enumeration: MarkerArguments = { kind: "value", argument: { type: "slice", item: { type: "any" } } };
const none: MarkerArguments = { kind: "none" };

const text: MarkerField = { argument: { type: "string" } };
const optionalText: MarkerField = { ...text, optional: true };
const optionalInt: MarkerField = { argument: { type: "int" }, optional: true };
const optionalBool: MarkerField = { argument: { type: "bool" }, optional: true };
const list: MarkerField = { argument: { type: "slice", item: { type: "string" } } };
const optionalList: MarkerField = { ...list, optional: true };

/**
 * Markers with the prefix `kubebuilder:validation:` that also exist for the items of a list, with the prefix
 * `kubebuilder:validation:items:`.
 */
const validation: readonly Unplaced[] = [
  numeric("Maximum", "maximum", number, "the largest allowed number"),
  numeric("Minimum", "minimum", number, "the smallest allowed number"),
  numeric("ExclusiveMaximum", "exclusiveMaximum", bool, "the maximum itself is not allowed"),
  numeric("ExclusiveMinimum", "exclusiveMinimum", bool, "the minimum itself is not allowed"),
  numeric("MultipleOf", "multipleOf", number, "the number must be a multiple of this one"),
  sized("MinProperties", "minProperties", "object", int, "the smallest number of keys in a map"),
  sized("MaxProperties", "maxProperties", "object", int, "the largest number of keys in a map"),
  textual("MaxLength", "maxLength", int, "the largest number of characters in a string"),
  textual("MinLength", "minLength", int, "the smallest number of characters in a string"),
  textual("Pattern", "pattern", string, "the regular expression (RE2) that a string must match"),
  sized("MaxItems", "maxItems", "array", int, "the largest number of items in a list"),
  sized("MinItems", "minItems", "array", int, "the smallest number of items in a list"),
  sized("UniqueItems", "uniqueItems", "array", bool, "all items of a list must differ"),
  {
    ...assigning("Enum", "enum", enumeration, "the allowed values"),
    apply(schema, value) {
      const known = JSON.stringify(schema.enum);
      if (known !== undefined && known !== JSON.stringify(value)) {
        throw new SyntaxError(`the type already has the enum ${known}: remove the marker`);
      }
      schema.enum = value as Json[];
    },
  },
  assigning("Format", "format", string, "the OpenAPI format of a string or number"),
  {
    ...assigning("Type", "type", string, "a JSON type that replaces the type of the field"),
    priority: 9,
  },
  flag("XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", "the server keeps unknown fields"),
  flag(
    "XEmbeddedResource",
    "x-kubernetes-embedded-resource",
    "the value is an object with apiVersion, kind and metadata",
  ),
  {
    ...flag("XIntOrString", "x-kubernetes-int-or-string", "the value is an integer or a string"),
    priority: 9,
  },
  {
    name: "XValidation",
    repeatable: true,
    arguments: {
      kind: "fields",
      fields: {
        rule: text,
        message: optionalText,
        messageExpression: optionalText,
        reason: optionalText,
        fieldPath: optionalText,
        optionalOldSelf: optionalBool,
      },
    },
    help: "a CEL rule that the value (self) must satisfy",
    apply(schema, value) {
      const rule = value as unknown as ValidationRule;
      const reasons = [
        "FieldValueRequired",
        "FieldValueInvalid",
        "FieldValueForbidden",
        "FieldValueDuplicate",
      ];
      if (rule.reason !== undefined && rule.reason !== "" && !reasons.includes(rule.reason)) {
        throw new SyntaxError(`there is no reason ${rule.reason}: the reasons are ${reasons.join(", ")}`);
      }
      addRule(schema, rule);
    },
  },
];

function prefixed(prefix: string): SchemaMarker[] {
  return validation.map((marker) => ({ ...marker, name: prefix + marker.name, targets: both }));
}

export const itemsPrefix = "kubebuilder:validation:items:";

/** Markers that change the schema of a field or type. */
const schemaMarkers: readonly SchemaMarker[] = [
  ...prefixed("kubebuilder:validation:"),
  ...prefixed(itemsPrefix).map((marker) => ({ ...marker, help: `for the items of a list: ${marker.help}` })),
  oneOf("AtMostOneOf", "<= 1", "at most one of the fields in", "may be set", 11),
  oneOf("ExactlyOneOf", "== 1", "exactly one of the fields in", "must be set", 12),
  oneOf("AtLeastOneOf", ">= 1", "at least one of the fields in", "must be set", 13),
  { ...flag("nullable", "nullable", "null is allowed"), targets: ["field"] },
  {
    ...assigning("default", "default", { kind: "json" }, "the default, in JSON"),
    targets: ["field"],
    priority: 9,
  },
  {
    name: "kubebuilder:default",
    targets: ["field"],
    arguments: any,
    help: "the default: a literal, a list {1,2} or a map {key: value}",
    apply(schema, value) {
      const empty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
      schema.default = schema.type === "array" && empty ? [] : (value as Json);
    },
  },
  {
    ...assigning("kubebuilder:example", "example", any, "an example, with the syntax of a default"),
    targets: ["field"],
  },
  {
    name: "kubebuilder:title",
    targets: both,
    arguments: any,
    help: "the title of the schema",
    apply(schema, value) {
      if (typeof value !== "string")
        throw new SyntaxError(`a title must be a string, not ${JSON.stringify(value)}`);
      schema.title = value;
    },
  },
  {
    ...flag(
      "kubebuilder:validation:EmbeddedResource",
      "x-kubernetes-embedded-resource",
      "the value is an object with apiVersion, kind and metadata",
    ),
    targets: ["field"],
  },
  {
    ...flag(
      "kubebuilder:pruning:PreserveUnknownFields",
      "x-kubernetes-preserve-unknown-fields",
      "the server keeps unknown fields",
    ),
    targets: both,
  },
  {
    name: "k8s:immutable",
    targets: ["field"],
    arguments: none,
    help: "the value cannot change once it is set",
    apply: (schema) => addRule(schema, { rule: "self == oldSelf", message: "field is immutable" }),
  },
  {
    name: "kubebuilder:externalDocs",
    targets: both,
    arguments: { kind: "fields", fields: { url: text, description: optionalText } },
    help: "a link to documentation of the value",
    apply(schema, value) {
      const { url, description } = value as unknown as { url: string; description?: string };
      if (!URL.canParse(url) && !url.startsWith("/"))
        throw new SyntaxError(
          `${JSON.stringify(url)} is not a URL: write https://… or a path that begins with /`,
        );
      schema.externalDocs = description ? { url, description } : { url };
    },
  },
  choice(
    "listType",
    "x-kubernetes-list-type",
    "array",
    ["map", "set", "atomic"],
    "how server-side apply merges a list",
    9,
  ),
  {
    name: "listMapKey",
    targets: both,
    repeatable: true,
    arguments: string,
    help: "a key field of the items of a list with listType=map",
    apply(schema, value) {
      requireType(schema, "array");
      if (schema["x-kubernetes-list-type"] !== "map")
        throw new SyntaxError("it also needs the marker +listType=map");
      schema["x-kubernetes-list-map-keys"] = [...(schema["x-kubernetes-list-map-keys"] ?? []), String(value)];
    },
  },
  choice(
    "mapType",
    "x-kubernetes-map-type",
    "object",
    ["granular", "atomic"],
    "how server-side apply merges a map",
  ),
  choice(
    "structType",
    "x-kubernetes-map-type",
    undefined,
    ["granular", "atomic"],
    "how server-side apply merges an object",
  ),
];

/** Markers that decide whether a field is required. They override the `?` of TypeScript. */
const presenceMarkers: readonly MarkerDefinition[] = [
  plain("kubebuilder:validation:Required", ["field", "package"], "the field, or every field, is required"),
  plain("kubebuilder:validation:Optional", ["field", "package"], "the field, or every field, is optional"),
  plain("required", ["field"], "the field is required"),
  plain("optional", ["field"], "the field is optional"),
  plain("k8s:required", ["field"], "the field is required"),
  plain("k8s:optional", ["field"], "the field is optional"),
  plain("kubebuilder:validation:Schemaless", ["field"], "the schema ignores the field's type"),
  plain("k8s:enum", ["type"], "only the strings of this union are allowed; the schema sorts them"),
];

/** Markers of a kind. crd/custom-resource-definition.ts reads them. */
const kindMarkers: readonly MarkerDefinition[] = [
  plain("kubebuilder:subresource:status", ["root"], "the status is a subresource"),
  fields("kubebuilder:subresource:scale", ["root"], "the paths that kubectl scale and autoscalers use", {
    specpath: text,
    statuspath: text,
    selectorpath: optionalText,
  }),
  repeatable("kubebuilder:printcolumn", ["root"], "a column of kubectl get", {
    name: text,
    type: text,
    JSONPath: text,
    description: optionalText,
    format: optionalText,
    priority: optionalInt,
  }),
  fields("kubebuilder:resource", ["root"], "names and scope of the resource", {
    path: optionalText,
    shortName: optionalList,
    categories: optionalList,
    singular: optionalText,
    scope: optionalText,
  }),
  plain("kubebuilder:storageversion", ["root"], "the server stores objects in this version"),
  plain("kubebuilder:skipversion", ["root"], "the CRD omits this version"),
  plain("kubebuilder:unservedversion", ["root"], "the server does not serve this version"),
  fields("kubebuilder:deprecatedversion", ["root"], "clients that use this version get a warning", {
    warning: optionalText,
  }),
  repeatable("kubebuilder:metadata", ["root"], "annotations and labels of the CRD, as key=value", {
    annotations: optionalList,
    labels: optionalList,
  }),
  repeatable("kubebuilder:selectablefield", ["root"], "a field that field selectors may use", {
    JSONPath: text,
  }),
];

/** Markers that say which types and folders controller-gen reads, and under which group and version. */
const packageMarkers: readonly MarkerDefinition[] = [
  valued("groupName", ["package"], "string", "the API group of the folder's types", true),
  valued(
    "versionName",
    ["package"],
    "string",
    "the version of the folder's types; default: the folder's name",
  ),
  plain("kubebuilder:skip", ["package"], "controller-gen skips the folder"),
  valued("kubebuilder:object:generate", ["package", "type", "root"], "bool", "whether to generate code"),
  valued("kubebuilder:object:root", ["type", "root"], "bool", "the type is a Kubernetes object"),
];

/** Markers that rbac/roles.ts reads. */
const rbacMarkers: readonly MarkerDefinition[] = [
  repeatable("kubebuilder:rbac", ["package"], "a permission of the operator", {
    groups: optionalList,
    resources: optionalList,
    resourceNames: optionalList,
    verbs: list,
    urls: optionalList,
    namespace: optionalText,
    roleName: optionalText,
  }),
];

/** Markers that webhook/webhooks.ts reads. */
const webhookMarkers: readonly MarkerDefinition[] = [
  repeatable("kubebuilder:webhook", ["package"], "an admission webhook that the operator serves", {
    mutating: { argument: { type: "bool" } },
    failurePolicy: text,
    matchPolicy: optionalText,
    sideEffects: optionalText,
    timeoutSeconds: optionalInt,
    groups: list,
    resources: list,
    verbs: list,
    versions: list,
    name: text,
    serviceName: optionalText,
    serviceNamespace: optionalText,
    path: optionalText,
    servicePort: optionalInt,
    webhookVersions: optionalList,
    admissionReviewVersions: list,
    reinvocationPolicy: optionalText,
    url: optionalText,
  }),
  repeatable("kubebuilder:webhookconfiguration", ["package"], "the name of the webhook configuration", {
    mutating: { argument: { type: "bool" } },
    name: optionalText,
  }),
];

/** Every marker that controller-gen knows. */
export const allMarkers: readonly (MarkerDefinition | SchemaMarker)[] = [
  ...schemaMarkers,
  ...presenceMarkers,
  ...kindMarkers,
  ...packageMarkers,
  ...rbacMarkers,
  ...webhookMarkers,
];

function plain(name: string, targets: readonly Target[], help: string): MarkerDefinition {
  return { name, targets, arguments: { kind: "none" }, help };
}

function valued(
  name: string,
  targets: readonly Target[],
  type: "string" | "bool",
  help: string,
  optional = false,
): MarkerDefinition {
  return { name, targets, arguments: { kind: "value", argument: { type }, optional }, help };
}

function fields(
  name: string,
  targets: readonly Target[],
  help: string,
  args: Readonly<Record<string, MarkerField>>,
): MarkerDefinition {
  return { name, targets, arguments: { kind: "fields", fields: args }, help };
}

function repeatable(
  name: string,
  targets: readonly Target[],
  help: string,
  args: Readonly<Record<string, MarkerField>>,
): MarkerDefinition {
  return { ...fields(name, targets, help, args), repeatable: true };
}
