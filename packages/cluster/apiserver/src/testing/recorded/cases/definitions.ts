import type { JsonObject } from "../../../lib/json/json.ts";
import type { Exchange } from "../exchange.ts";
import { definition, mergePatch, paths } from "../objects.ts";

const { definitions } = paths;
const object: JsonObject = { type: "object" };
const text: JsonObject = { type: "string" };
const props = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
const root = (schema: JsonObject): JsonObject => ({ schema: { openAPIV3Schema: schema } });
const create = (name: string, body: JsonObject): Exchange => ({ name, path: definitions, body });
const spec = (name: string, schema: JsonObject): Exchange => create(`schema: ${name}`, definition(schema));
const top = (name: string, more: JsonObject): Exchange => create(name, definition(object, {}, more));
const version = (name: string, more: JsonObject): Exchange =>
  create(`version: ${name}`, definition(object, more));
const names = { plural: "bugs", kind: "Bug" };
const versionOf = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: false,
  ...root(object),
  ...more,
});
const change = (name: string, body: JsonObject): Exchange => ({
  name: `update: ${name}`,
  method: "PATCH",
  path: `${definitions}/bugs.ex.io`,
  contentType: mergePatch,
  body,
  given: [{ path: definitions, body: definition(object) }],
});

export const definitionExchanges: Exchange[] = [
  create("minimal", definition(object)),
  create("nothing", { metadata: { name: "bugs.ex.io" } }),
  create(
    "most fields",
    definition(
      props({
        size: { type: "integer", minimum: 1, default: 3 },
        list: { type: "array", items: text, "x-kubernetes-list-type": "set" },
      }),
      {
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
        },
        additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size", priority: 1 }],
      },
      { names: { ...names, shortNames: ["bg"], categories: ["all"] } },
    ),
  ),
  create("another name", { ...definition(object), metadata: { name: "x.ex.io" } }),
  top("no group", { group: "" }),
  top("bad group", { group: "Ex_io" }),
  top("protected group", { group: "apps.k8s.io" }),
  top("scope", { scope: "Foo" }),
  top("no scope", { scope: "" }),
  top("names: no plural", { names: { kind: "Bug" } }),
  top("names: no kind", { names: { plural: "bugs" } }),
  top("names: bad", {
    names: {
      plural: "Bugs_",
      kind: "bug_",
      singular: "B_",
      shortNames: ["S_"],
      listKind: "l_",
      categories: ["C_"],
    },
  }),
  top("names: list kind is the kind", { names: { ...names, listKind: "Bug" } }),
  top("no versions", { versions: [] }),
  top("two storage versions", {
    versions: [versionOf("v1", { storage: true }), versionOf("v2", { storage: true })],
  }),
  top("no storage version", { versions: [versionOf("v1")] }),
  top("one version twice", { versions: [versionOf("v1", { storage: true }), versionOf("v1")] }),
  top("conversion", { conversion: { strategy: "Foo" } }),
  top("conversion without a webhook", { conversion: { strategy: "Webhook" } }),
  top("preserveUnknownFields", { preserveUnknownFields: true }),
  version("bad name", { name: "V_1" }),
  version("no schema", { schema: null }),
  version("column without a path", { additionalPrinterColumns: [{ name: "", type: "foo", jsonPath: "" }] }),
  version("column with a bad path", {
    additionalPrinterColumns: [{ name: "a", type: "string", jsonPath: "spec.a" }],
  }),
  version("scale", {
    subresources: {
      scale: { specReplicasPath: "spec.x", statusReplicasPath: ".foo.x", labelSelectorPath: ".x" },
    },
  }),
  version("scale without paths", {
    subresources: { scale: { specReplicasPath: "", statusReplicasPath: "" } },
  }),
  version("selectable field", { selectableFields: [{ jsonPath: ".spec.foo" }] }),
  version("root: no type", root({})),
  version("root: array", root({ type: "array", items: text })),
  version("root: preserve", root({ type: "object", "x-kubernetes-preserve-unknown-fields": true })),
  version("root: additionalProperties", root({ type: "object", additionalProperties: text })),
  version("root: metadata", root(props({ metadata: props({ labels: object }) }))),
  version("root: name in metadata", root(props({ metadata: props({ name: { ...text, maxLength: 5 } }) }))),
  version("root: status as a text", { ...root(props({ status: text })), subresources: { status: {} } }),
  spec("no type", {}),
  spec("unknown type", { type: "foo" }),
  spec("array without items", { type: "array" }),
  spec("items without a type", { type: "array", items: {} }),
  spec("properties without a type", props({ a: {} })),
  spec("properties and additionalProperties", props({ a: text }, { additionalProperties: text })),
  spec("additionalProperties false", { type: "object", additionalProperties: false }),
  spec("uniqueItems", { type: "array", items: text, uniqueItems: true }),
  spec("$ref", { $ref: "#/foo" }),
  spec("patternProperties", { type: "object", patternProperties: { a: text } }),
  spec("bad pattern", { ...text, pattern: "[" }),
  spec("default of another type", { type: "integer", default: "x" }),
  spec("default that is pruned", props({ a: text }, { default: { b: 1 } })),
  spec("invalid default", { type: "integer", minimum: 5, default: 3 }),
  spec("nullable and default null", { ...text, nullable: true, default: null }),
  spec("list type without an array", { ...text, "x-kubernetes-list-type": "set" }),
  spec("unknown list type", { type: "array", items: text, "x-kubernetes-list-type": "foo" }),
  spec("map without keys", { type: "array", items: props({ k: text }), "x-kubernetes-list-type": "map" }),
  spec("map with an unknown key", {
    type: "array",
    items: props({ k: text }, { required: ["k"] }),
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["q"],
  }),
  spec("map with an optional key", {
    type: "array",
    items: props({ k: text }),
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
  }),
  spec("map of texts", {
    type: "array",
    items: text,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
  }),
  spec("keys without a map", {
    type: "array",
    items: props({ k: text }),
    "x-kubernetes-list-map-keys": ["k"],
  }),
  spec("set of objects", { type: "array", items: object, "x-kubernetes-list-type": "set" }),
  spec("map type", { type: "object", "x-kubernetes-map-type": "foo" }),
  spec("int or string with a type", { type: "integer", "x-kubernetes-int-or-string": true }),
  spec("int or string as anyOf", {
    anyOf: [{ type: "integer" }, { type: "string" }],
    "x-kubernetes-int-or-string": true,
  }),
  spec("preserve false", { type: "object", "x-kubernetes-preserve-unknown-fields": false }),
  spec("embedded without preserve", { type: "object", "x-kubernetes-embedded-resource": true }),
  spec("type inside anyOf", { type: "object", anyOf: [{ type: "object" }] }),
  spec("property only inside allOf", { type: "object", allOf: [{ properties: { a: { minLength: 1 } } }] }),
  spec("default inside anyOf", { type: "object", anyOf: [{ default: {} }] }),
  spec("unknown format is accepted", { ...text, format: "foo" }),
  spec("enum", { ...text, enum: ["a", "a"] }),
  spec("empty required", { type: "object", required: ["q"] }),
  change("another kind", { spec: { names: { plural: "bugs", kind: "Bog" } } }),
  change("another scope", { spec: { scope: "Cluster" } }),
  change("another group", { spec: { group: "b.io" } }),
  change("another plural", { spec: { names: { plural: "bogs", kind: "Bug" } } }),
  change("a short name", { spec: { names: { plural: "bugs", kind: "Bug", shortNames: ["bg"] } } }),
  change("the stored version removed", { spec: { versions: [versionOf("v2", { storage: true })] } }),
];
