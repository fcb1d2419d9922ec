import type { ValidationRule } from "../schema/schema.ts";
import type { Json } from "../yaml/emit.ts";
import type { MarkerArguments } from "./definition.ts";
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

const number: MarkerArguments = { kind: "value", argument: { type: "number" } };
const int: MarkerArguments = { kind: "value", argument: { type: "int" } };
const bool: MarkerArguments = { kind: "value", argument: { type: "bool" } };
const string: MarkerArguments = { kind: "value", argument: { type: "string" } };
const any: MarkerArguments = { kind: "value", argument: { type: "any" } };
const enumeration: MarkerArguments = { kind: "value", argument: { type: "slice", item: { type: "any" } } };
const none: MarkerArguments = { kind: "none" };

/** Those below `kubebuilder:validation:`, which there are a second time below `kubebuilder:validation:items:`. */
const validation: readonly Unplaced[] = [
  numeric("Maximum", "maximum", number, "the greatest number that is allowed"),
  numeric("Minimum", "minimum", number, "the smallest number that is allowed"),
  numeric("ExclusiveMaximum", "exclusiveMaximum", bool, "the maximum itself is not allowed"),
  numeric("ExclusiveMinimum", "exclusiveMinimum", bool, "the minimum itself is not allowed"),
  numeric("MultipleOf", "multipleOf", number, "the number is a multiple of this one"),
  sized("MinProperties", "minProperties", "object", int, "a map has at least so many keys"),
  sized("MaxProperties", "maxProperties", "object", int, "a map has at most so many keys"),
  textual("MaxLength", "maxLength", int, "a string has at most so many characters"),
  textual("MinLength", "minLength", int, "a string has at least so many characters"),
  textual("Pattern", "pattern", string, "a string matches this regular expression (RE2)"),
  sized("MaxItems", "maxItems", "array", int, "a list has at most so many items"),
  sized("MinItems", "minItems", "array", int, "a list has at least so many items"),
  sized("UniqueItems", "uniqueItems", "array", bool, "no two items of a list are the same"),
  {
    ...assigning("Enum", "enum", enumeration, "the value is one of these"),
    apply(schema, value) {
      const said = JSON.stringify(schema.enum);
      if (said !== undefined && said !== JSON.stringify(value)) {
        throw new SyntaxError(`the type itself says ${said}: leave the marker out`);
      }
      schema.enum = value as Json[];
    },
  },
  assigning("Format", "format", string, "the format of a string or number, in OpenAPI's words"),
  {
    ...assigning("Type", "type", string, "the JSON type, in place of the one that the field's type has"),
    priority: 9,
  },
  flag(
    "XPreserveUnknownFields",
    "x-kubernetes-preserve-unknown-fields",
    "fields that no schema names are kept",
  ),
  flag(
    "XEmbeddedResource",
    "x-kubernetes-embedded-resource",
    "the value is an object with apiVersion, kind and metadata",
  ),
  {
    ...flag("XIntOrString", "x-kubernetes-int-or-string", "the value is a whole number or a string"),
    priority: 9,
  },
  {
    name: "XValidation",
    repeatable: true,
    arguments: {
      kind: "fields",
      fields: {
        rule: { argument: { type: "string" } },
        message: { argument: { type: "string" }, optional: true },
        messageExpression: { argument: { type: "string" }, optional: true },
        reason: { argument: { type: "string" }, optional: true },
        fieldPath: { argument: { type: "string" }, optional: true },
        optionalOldSelf: { argument: { type: "bool" }, optional: true },
      },
    },
    help: "a rule in CEL that holds for the value (self)",
    apply(schema, value) {
      const rule = value as unknown as ValidationRule;
      const reasons = [
        "FieldValueRequired",
        "FieldValueInvalid",
        "FieldValueForbidden",
        "FieldValueDuplicate",
      ];
      if (rule.reason !== undefined && rule.reason !== "" && !reasons.includes(rule.reason)) {
        throw new SyntaxError(`there is no reason ${rule.reason}: there are ${reasons.join(", ")}`);
      }
      addRule(schema, rule);
    },
  },
];

function prefixed(prefix: string): SchemaMarker[] {
  return validation.map((marker) => ({ ...marker, name: prefix + marker.name, targets: both }));
}

export const itemsPrefix = "kubebuilder:validation:items:";

/** All markers that change schemas. */
export const schemaMarkers: readonly SchemaMarker[] = [
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
    ...assigning("kubebuilder:example", "example", any, "an example, written as a default is"),
    targets: ["field"],
  },
  {
    name: "kubebuilder:title",
    targets: both,
    arguments: any,
    help: "the schema's title",
    apply(schema, value) {
      if (typeof value !== "string")
        throw new SyntaxError(`a title is a string, not ${JSON.stringify(value)}`);
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
      "fields that no schema names are kept",
    ),
    targets: both,
  },
  {
    name: "k8s:immutable",
    targets: ["field"],
    arguments: none,
    help: "the value cannot be changed once it is set",
    apply: (schema) => addRule(schema, { rule: "self == oldSelf", message: "field is immutable" }),
  },
  {
    name: "kubebuilder:externalDocs",
    targets: both,
    arguments: {
      kind: "fields",
      fields: {
        url: { argument: { type: "string" } },
        description: { argument: { type: "string" }, optional: true },
      },
    },
    help: "where documentation of the value is",
    apply(schema, value) {
      const { url, description } = value as unknown as { url: string; description?: string };
      if (!URL.canParse(url) && !url.startsWith("/"))
        throw new SyntaxError(`${JSON.stringify(url)} is no URL`);
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
    help: "a field that tells the items of a list of listType=map apart",
    apply(schema, value) {
      requireType(schema, "array");
      if (schema["x-kubernetes-list-type"] !== "map")
        throw new SyntaxError("it needs +listType=map beside it");
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
