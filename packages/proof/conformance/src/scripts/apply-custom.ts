import type { JsonMap, Script, Step } from "../script.ts";
import {
  apply,
  bug,
  bugs,
  defined,
  definition,
  get,
  merge,
  objectSchema,
  paths,
  setup,
  whenServed,
} from "./make.ts";

const text = { type: "string" };
const spec: JsonMap = {
  type: "object",
  properties: {
    replicas: { type: "integer", default: 1 },
    ports: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
      items: {
        type: "object",
        required: ["port"],
        properties: { port: { type: "integer" }, protocol: { ...text, default: "TCP" }, name: text },
      },
    },
    tags: { type: "array", "x-kubernetes-list-type": "set", items: text },
    numbers: { type: "array", "x-kubernetes-list-type": "set", items: { type: "integer" } },
    list: { type: "array", items: { type: "object", properties: { a: text } } },
    map: { type: "object", additionalProperties: text },
    nested: { type: "object", additionalProperties: { type: "object", properties: { x: text, y: text } } },
    one: { type: "object", "x-kubernetes-map-type": "atomic", properties: { x: text, y: text } },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    half: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { known: { type: "object", properties: { z: text } } },
    },
    either: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, text] },
    nothing: { ...text, nullable: true },
    inner: { type: "object", properties: { a: { ...text, default: "q" }, b: text, c: { type: "number" } } },
    embedded: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
  },
};
const statusOf: JsonMap = {
  type: "object",
  properties: {
    replicas: { type: "integer" },
    conditions: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
      items: { type: "object", required: ["type"], properties: { type: text, status: text } },
    },
  },
};
const subresources = {
  status: {},
  scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
};
const given = defined(objectSchema(spec, { status: statusOf }), { subresources });
const a = `${bugs}/a`;
const by = (manager: string, value: JsonMap, query = ""): Step =>
  apply(a, manager, bug("a", { spec: value }), query);
const script = (name: string, ...steps: Step[]): Script => ({
  name: `a custom resource: ${name}`,
  area: "apply",
  steps: [...given, ...steps],
});

/** Lists and maps of every type, by the schema of a CRD. */
export const applyingCustom: readonly Script[] = [
  script(
    "create, with defaults",
    by("one", { map: { k: "v" }, inner: { b: "z", c: 1.5 } }),
    by("one", { inner: { b: "z" } }),
    get(a),
  ),
  script(
    "lists by keys, one with a default",
    by("one", { ports: [{ port: 80 }, { port: 81, protocol: "UDP", name: "x" }] }),
    by("two", { ports: [{ port: 80, name: "n" }, { port: 82 }] }),
    by("one", { ports: [{ port: 81, protocol: "UDP" }] }),
    by("one", {}),
    get(a),
  ),
  script(
    "sets",
    by("one", { tags: ["b", "a"], numbers: [10, 9, 1] }),
    by("two", { tags: ["c", "a"], numbers: [2] }),
    by("one", { tags: ["a"] }),
    by("one", {}),
    get(a),
  ),
  script(
    "duplicate items",
    by("one", { tags: ["a", "a"] }),
    by("one", { ports: [{ port: 1 }, { port: 1, protocol: "TCP" }] }),
  ),
  script(
    "items without distinct keys",
    by("one", { tags: [null] }),
    by("one", { tags: [{}] }),
    by("one", { ports: [{ name: "x" }] }),
  ),
  script(
    "an item duplicated by an update",
    by("one", { ports: [{ port: 1, name: "a" }] }),
    merge(a, { spec: { list: [{ a: "1" }, { a: "1" }] } }),
    by("two", { list: [{ a: "2" }] }),
  ),
  script(
    "maps, granular and atomic",
    by("one", { map: { k: "v" }, nested: { p: { x: "1" } }, one: { x: "1" }, list: [{ a: "1" }] }),
    by("two", { map: { l: "w" }, nested: { p: { y: "2" } } }),
    by("two", { one: { y: "2" } }),
    by("two", { list: [{ a: "2" }] }),
    by("one", { map: {} }),
    get(a),
  ),
  script(
    "fields without a schema",
    by("one", { free: { a: { b: [1, { c: 2 }] } }, half: { known: { z: "1", q: "2" }, l: [1] } }),
    by("two", { free: { a: { d: 1 } } }),
    by("two", { free: { a: { b: [2] } } }),
    by("one", { free: {} }),
    get(a),
  ),
  script("an unknown field", by("one", { nope: 1 })),
  script(
    "a number or a text",
    by("one", { either: "5%" }),
    by("two", { either: 7 }),
    by("two", { either: 7 }, "&force=true"),
  ),
  script(
    "null",
    by("one", { nothing: "x", map: { a: "b" } }),
    by("one", { nothing: null, replicas: null, map: null, tags: null }),
    get(a),
  ),
  script("null for an object", by("one", { inner: null })),
  script(
    "an embedded object",
    by("one", {
      embedded: {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "x", labels: { a: "b" } },
        spec: { a: 1 },
      },
    }),
  ),
  script("no spec", by("one", { map: { a: "b" } }), apply(a, "one", bug("a")), get(a)),
  script(
    "metadata",
    apply(a, "one", bug("a", { metadata: { name: "a", labels: { a: "b" }, annotations: { c: "d" } } })),
    merge(`${a}?fieldManager=u`, { metadata: { labels: { a: "c" } } }),
    apply(a, "one", bug("a", { metadata: { name: "a", labels: { a: "b" } } })),
  ),
  script(
    "the status",
    by("one", { map: { a: "b" } }),
    apply(
      `${a}/status`,
      "ctl",
      bug("a", {
        metadata: { name: "a", labels: { no: "no" } },
        spec: { map: { no: "no" } },
        status: { conditions: [{ type: "A", status: "True" }] },
      }),
    ),
    apply(`${a}/status`, "other", bug("a", { status: { conditions: [{ type: "B", status: "True" }] } })),
    // The spec changes too: an apply of the status alone, which is dropped, writes only the time in managedFields, and
    // only in another second than the first apply.
    apply(a, "one", bug("a", { spec: { map: { a: "c" } }, status: { replicas: 3 } })),
    merge(`${a}/status?fieldManager=u`, { status: { replicas: 2 } }),
    get(a),
  ),
  script(
    "the scale",
    by("one", { replicas: 2 }),
    merge(`${a}/scale?fieldManager=scaler`, { spec: { replicas: 4 } }),
    get(a),
    by("one", { replicas: 2 }),
    by("one", {}),
    get(a),
  ),
];

const group = "{{ns}}.example.io";
const version = (name: string, storage: boolean, map: JsonMap = {}): JsonMap => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: objectSchema({
      type: "object",
      properties: { map: { type: "object", additionalProperties: text, ...map }, x: text },
    }),
  },
});
const versions = (...list: JsonMap[]): JsonMap => ({ versions: list });
const v2 = bugs.replace("/v1/", "/v2/");
const byIn = (v: string, manager: string, value: JsonMap, query = ""): Step =>
  apply(
    `${v === "v2" ? v2 : bugs}/a`,
    manager,
    { ...bug("a", { spec: value }), apiVersion: `${group}/${v}` },
    query,
  );

/** Managers of several versions, and changing schemas. */
export const applyingVersions: readonly Script[] = [
  {
    name: "managers of two versions",
    area: "apply",
    steps: [
      ...defined({}, {}, versions(version("v1", true), version("v2", false))),
      byIn("v1", "one", { map: { a: "1" } }),
      byIn("v2", "two", { map: { b: "2" } }),
      byIn("v1", "three", { map: { b: "3" } }),
      byIn("v2", "one", { map: { c: "1" } }),
      byIn("v1", "one", { map: { d: "1" } }),
      merge(`${v2}/a?fieldManager=u`, { spec: { map: { b: "u" } } }),
      merge(`${bugs}/a?fieldManager=u`, { spec: { map: { b: "uu" } } }),
      apply(`${bugs}/a`, "one", { ...bug("a"), apiVersion: `${group}/v2` }),
      get(`${v2}/a`),
    ],
  },
  {
    name: "a map becomes atomic",
    area: "apply",
    steps: [
      ...defined({}, {}, versions(version("v1", true))),
      byIn("v1", "one", { map: { a: "1" } }),
      byIn("v1", "two", { map: { b: "2" } }),
      setup(
        merge(`${paths.definitions}/bugs.${group}`, {
          spec: definition({}, {}, versions(version("v1", true, { "x-kubernetes-map-type": "atomic" })))
            .spec as JsonMap,
        }),
      ),
      ...whenServed,
      setup({ ...merge(`${bugs}/a?fieldManager=three`, { spec: { x: "1" } }) }),
      get(`${bugs}/a`),
    ],
  },
];
