import type { JsonObject } from "../../../lib/json/json.ts";
import type { Exchange, Given } from "../exchange.ts";
import { bug, bugs, definition, mergePatch, paths } from "../objects.ts";

// Versions of definitions: conversion, scale, selectable fields, columns; and objects with a scale.

const text: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const schema: JsonObject = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        replicas: integer,
        color: text,
        on: { type: "boolean" },
        map: { type: "object", additionalProperties: text },
      },
    },
    status: {
      type: "object",
      properties: { replicas: integer, selector: text, labels: { type: "object", properties: { x: text } } },
    },
  },
};
const version = (more: JsonObject = {}): JsonObject => ({
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: schema },
  ...more,
});

function define(name: string, versions: JsonObject[], top: JsonObject = {}): Exchange {
  return { name, path: paths.definitions, body: definition({}, {}, { versions, ...top }) };
}

const v2 = version({ name: "v2", storage: false });
const convert = (name: string, conversion: JsonObject): Exchange =>
  define(`conversion: ${name}`, [version(), v2], { conversion });
const webhook = (name: string, clientConfig: JsonObject | undefined, versions: string[] = ["v1"]): Exchange =>
  convert(name, {
    strategy: "Webhook",
    webhook: { ...(clientConfig === undefined ? {} : { clientConfig }), conversionReviewVersions: versions },
  });
const service = (more: JsonObject = {}): JsonObject => ({ service: { namespace: "a", name: "b", ...more } });
const scaled = (name: string, scale: JsonObject): Exchange =>
  define(`scale: ${name}`, [version({ subresources: { status: {}, scale } })]);
const paths3 = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
const selectable = (name: string, fields: string[]): Exchange =>
  define(`selectable: ${name}`, [version({ selectableFields: fields.map((jsonPath) => ({ jsonPath })) })]);
const column = (name: string, more: JsonObject): Exchange =>
  define(`column: ${name}`, [
    version({
      additionalPrinterColumns: [{ name: "Color", type: "string", jsonPath: ".spec.color", ...more }],
    }),
  ]);

const selectableFields = [{ jsonPath: ".spec.color" }];
const crd: Given = {
  path: paths.definitions,
  body: definition(
    {},
    {},
    {
      versions: [
        version({
          subresources: { status: {}, scale: { ...paths3, labelSelectorPath: ".status.selector" } },
          selectableFields,
        }),
        version({ name: "v1beta1", storage: false, deprecated: true, selectableFields }),
        version({
          name: "v1alpha1",
          storage: false,
          deprecated: true,
          deprecationWarning: "do not use it",
          selectableFields,
        }),
      ],
    },
  ),
};
const scale = (replicas: number, more: JsonObject = {}): JsonObject => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name: "a", namespace: "recorded", ...more },
  spec: { replicas },
});
const existing: Given[] = [crd, { path: bugs, body: bug({ replicas: 2, color: "red" }) }];
const onScale = (name: string, method: "PUT" | "PATCH", body: JsonObject): Exchange => ({
  name: `scale: ${name}`,
  method,
  path: `${bugs}/a/scale`,
  ...(method === "PATCH" ? { contentType: mergePatch } : {}),
  body,
  given: existing,
});
const create = (name: string, spec: JsonObject, more: JsonObject = {}): Exchange => ({
  name,
  path: bugs,
  body: bug(spec, more),
  given: [crd],
});
const inVersion = (name: string): Exchange => ({
  name: `versions: ${name}`,
  path: bugs.replace("/v1/", `/${name}/`),
  body: { ...bug({ color: "red" }), apiVersion: `ex.io/${name}` },
  given: [crd],
});

export const versions: Exchange[] = [
  convert("none", { strategy: "None" }),
  convert("none, and a webhook", {
    strategy: "None",
    webhook: { clientConfig: service(), conversionReviewVersions: ["v1"] },
  }),
  convert("unknown", { strategy: "Magic" }),
  convert("webhook without one", { strategy: "Webhook" }),
  webhook("no client", undefined),
  webhook("neither url nor service", {}),
  webhook("url and service", { url: "https://a.b/c", ...service() }),
  webhook("url", { url: "https://a.b/c" }),
  webhook("url without TLS", { url: "http://a.b/c" }),
  webhook("url with a query", { url: "https://a.b/c?d=e" }),
  webhook("url without a host", { url: "https:///c" }),
  webhook("service", service()),
  webhook("service without a name", { service: { namespace: "a", name: "" } }),
  webhook("service with a bad port", service({ port: 70_000 })),
  webhook("service with a bad path", service({ path: "a//b" })),
  webhook("no review versions", service(), []),
  webhook("unknown review version", service(), ["v2"]),
  webhook("review versions twice", service(), ["v1", "v1"]),
  webhook("bad review version", service(), ["v1", "V 2"]),
  webhook("older review version", service(), ["v1beta1", "v1"]),
  webhook("bad authority", { ...service(), caBundle: "bm9uZQ==" }),
  define("versions: no stored version", [version({ storage: false })]),
  define("versions: two stored versions", [version(), version({ name: "v2" })]),
  define("versions: one twice", [version(), version({ storage: false })]),
  define("versions: no served version", [version({ served: false })]),
  define("versions: a warning without a deprecation", [version({ deprecationWarning: "a" })]),
  define("versions: an empty warning", [version({ deprecated: true, deprecationWarning: "" })]),
  define("versions: a long warning", [version({ deprecated: true, deprecationWarning: "a".repeat(257) })]),
  define("versions: without a schema", [{ name: "v1", served: true, storage: true }]),
  define("versions: a schema without types", [version({ schema: { openAPIV3Schema: {} } })]),
  scaled("good", { ...paths3, labelSelectorPath: ".status.selector" }),
  scaled("no paths", { specReplicasPath: "", statusReplicasPath: "" }),
  scaled("path to somewhere else", {
    specReplicasPath: ".status.replicas",
    statusReplicasPath: ".spec.replicas",
  }),
  scaled("path with brackets", { ...paths3, specReplicasPath: ".spec['replicas']" }),
  scaled("selector in metadata", { ...paths3, labelSelectorPath: ".metadata.labels" }),
  selectable("good", [".spec.color", ".spec.on", ".spec.replicas"]),
  selectable("no such field", [".spec.none"]),
  selectable("not a scalar", [".spec.map"]),
  selectable("into a map", [".spec.map.x"]),
  selectable("twice", [".spec.color", ".spec.color"]),
  selectable("empty", [""]),
  selectable("in metadata", [".metadata.name"]),
  selectable("with brackets", [".spec['color']"]),
  selectable("without a dot", ["spec.color"]),
  selectable(
    "too many",
    Array.from({ length: 9 }, () => ".spec.color"),
  ),
  column("good", { type: "integer", format: "int32", priority: 1, description: "d" }),
  column("unknown type", { type: "text" }),
  column("unknown format", { format: "f" }),
  column("path without a dot", { jsonPath: "spec.color" }),
  column("unparsable path", { jsonPath: ".spec[" }),
  column("no name", { name: "" }),
  onScale("put", "PUT", scale(5)),
  onScale("put with another name", "PUT", scale(5, { name: "b" })),
  onScale("put of a changed object", "PUT", scale(5, { resourceVersion: "1" })),
  onScale("put of a negative number", "PUT", scale(-1)),
  onScale("patch", "PATCH", { spec: { replicas: 3 } }),
  onScale("patch with a text", "PATCH", { spec: { replicas: "3" } }),
  onScale("patch with an unknown field", "PATCH", { spec: { size: 3 } }),
  create("scale: a negative number in an object", { replicas: -1 }),
  create("scale: more than 32 bits in an object", { replicas: 2 ** 31 }),
  create("scale: an invalid selector", { replicas: 1 }, { status: { selector: "!!" } }),
  inVersion("v1beta1"),
  inVersion("v1alpha1"),
];
