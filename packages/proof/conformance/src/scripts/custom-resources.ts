import type { Json, JsonMap, Script, Step } from "../script.ts";
import {
  bug,
  bugs,
  customResourceScript,
  define,
  defined,
  definition,
  get,
  integer,
  jsonPatch,
  make,
  merge,
  objectSchema,
  paths,
  post,
  put,
  remove,
  served,
  setup,
  spec,
  string,
  whenServed,
} from "./make.ts";

const readDefinition = (): Step => get(`${paths.definitions}/bugs.{{ns}}.example.io`);

/** CRDs, schemas, versions, subresources. */
export const customResources: readonly Script[] = [
  customResourceScript(
    "a CRD and its API",
    define(spec({ size: integer })),
    ...whenServed,
    get("/apis/{{ns}}.example.io"),
    get("/apis/{{ns}}.example.io/v1"),
    get(bugs),
    get("/apis/{{ns}}.example.io/v2/namespaces/{{ns}}/bugs"),
  ),
  customResourceScript(
    "create, update, patch, delete",
    ...defined(spec({ size: integer, tags: { type: "array", items: string } })),
    make({ size: 1 }),
    put(`${bugs}/a`, bug("a", { spec: { size: 2 } })),
    get(`${bugs}/a`, { id: "now" }),
    put(`${bugs}/a`, "{{now}}"),
    merge(`${bugs}/a`, { spec: { tags: ["x"] } }),
    jsonPatch(`${bugs}/a`, [{ op: "add", path: "/spec/tags/-", value: "y" }]),
    put(`${bugs}/a`, bug("a", { metadata: { name: "a", resourceVersion: "1" }, spec: {} })),
    remove(`${bugs}/a`),
  ),
  customResourceScript(
    "an update needs a resourceVersion",
    ...defined(spec({ size: integer })),
    make({ size: 1 }),
    put(`${bugs}/a`, bug("a", { spec: { size: 3 } })),
  ),
  customResourceScript(
    "defaults",
    ...defined(
      spec({
        size: { type: "integer", default: 3 },
        inner: { type: "object", default: {}, properties: { on: { type: "boolean", default: true } } },
        list: {
          type: "array",
          items: { type: "object", properties: { port: { type: "integer", default: 80 } } },
        },
      }),
    ),
    make({}),
    make({ size: null as Json, list: [{}, { port: 1 }] } as JsonMap, "b"),
    post(bugs, bug("c")),
    merge(`${bugs}/a`, { spec: { size: null } }),
  ),
  customResourceScript(
    "pruning",
    ...defined(
      objectSchema({
        type: "object",
        properties: {
          kept: string,
          free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          embedded: {
            type: "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
          },
        },
      }),
    ),
    make({
      kept: "x",
      gone: "y",
      free: { a: { b: 1 } },
      embedded: { apiVersion: "v1", kind: "Pod", metadata: { name: "x", gone: 1 }, spec: { x: 1 } },
    }),
    post(bugs, bug("b", { extra: 1, metadata: { name: "b", extra: 1 } })),
    make({ embedded: { kind: "Pod" } }, "c"),
    make({ embedded: { apiVersion: "v1", kind: "Pod", metadata: { name: "NOT OK" } } }, "d"),
  ),
  customResourceScript(
    "numbers",
    ...defined(
      spec({
        int: { type: "integer", minimum: 1, maximum: 5 },
        int32: { type: "integer", format: "int32" },
        int64: { type: "integer", format: "int64" },
        number: { type: "number", exclusiveMinimum: true, minimum: 0 },
        multiple: { type: "integer", multipleOf: 5 },
        either: { "x-kubernetes-int-or-string": true },
      }),
    ),
    ...[
      { int: 0 },
      { int: 6 },
      { int: 1.5 },
      { int32: 2 ** 31 },
      { number: 0 },
      { number: 0.5 },
      { multiple: 7 },
      { either: "80%" },
      { either: 80 },
      { either: 1.5 },
      { either: true },
      { int: "1" },
    ].map((value, index) => make(value, `n${index}`)),
  ),
  customResourceScript(
    "strings",
    ...defined(
      spec({
        short: { type: "string", maxLength: 3, minLength: 2 },
        pattern: { type: "string", pattern: "^[a-z]+$" },
        word: { type: "string", enum: ["a", "b"] },
        date: { type: "string", format: "date-time" },
        ip: { type: "string", format: "ipv4" },
        uri: { type: "string", format: "uri" },
        bytes: { type: "string", format: "byte" },
        duration: { type: "string", format: "duration" },
        nullable: { type: "string", nullable: true },
      }),
    ),
    ...[
      { short: "x" },
      { short: "xxxx" },
      { short: "äöü" },
      { pattern: "ABC" },
      { word: "c" },
      { date: "yesterday" },
      { date: "2026-01-01T00:00:00Z" },
      { ip: "1.2.3" },
      { uri: "not a uri" },
      { bytes: "%%%" },
      { duration: "1 day" },
      { nullable: null },
      { short: null },
    ].map((value, index) => make(value as JsonMap, `n${index}`)),
  ),
  customResourceScript(
    "lists and maps",
    ...defined(
      spec({
        few: { type: "array", maxItems: 2, minItems: 1, items: string },
        set: { type: "array", "x-kubernetes-list-type": "set", items: string },
        map: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: { type: "object", required: ["name"], properties: { name: string } },
        },
        props: { type: "object", maxProperties: 1, additionalProperties: integer },
      }),
    ),
    ...[
      { few: [] },
      { few: ["a", "b", "c"] },
      { set: ["a", "a"] },
      { map: [{ name: "a" }, { name: "a" }] },
      { map: [{}] },
      { props: { a: 1, b: 2 } },
      { props: { a: "x" } },
      { few: ["a", 1] },
    ].map((value, index) => make(value as JsonMap, `n${index}`)),
  ),
  customResourceScript(
    "several errors at once",
    ...defined(
      spec(
        {
          a: integer,
          b: string,
          c: { type: "object", required: ["d", "e"], properties: { d: string, e: string } },
        },
        { required: ["a", "b"] },
      ),
    ),
    make({ a: "x", c: {} }),
    make({}),
    post(bugs, bug("c", { spec: "text" })),
    post(bugs, bug("d", { spec: [] })),
  ),
  customResourceScript(
    "anyOf, oneOf, allOf, not",
    ...defined(
      spec(
        { a: integer, b: integer, c: integer },
        { anyOf: [{ required: ["a"] }, { required: ["b"] }], not: { required: ["c"] } },
      ),
    ),
    make({}),
    make({ a: 1 }, "b"),
    make({ a: 1, c: 1 }, "c"),
  ),
  customResourceScript(
    "the status subresource",
    ...defined(
      objectSchema(
        { type: "object", properties: { size: integer } },
        { status: { type: "object", properties: { phase: string } } },
      ),
      { subresources: { status: {} } },
    ),
    post(bugs, bug("a", { spec: { size: 1 }, status: { phase: "Lost" } }), { id: "made" }),
    merge(`${bugs}/a/status`, {
      status: { phase: "Ready" },
      spec: { size: 9 },
      metadata: { labels: { a: "b" } },
    }),
    merge(`${bugs}/a`, { status: { phase: "Lost" } }),
    merge(`${bugs}/a`, { spec: { size: 2 } }),
    put(`${bugs}/a/status`, bug("a", { status: { phase: "Old" } })),
    get(`${bugs}/a/status`),
    merge(`${bugs}/a/status`, { status: { phase: 1 } }),
  ),
  customResourceScript(
    "without status and scale",
    ...defined(spec({ size: integer })),
    make({ size: 1 }),
    get(`${bugs}/a/status`),
    merge(`${bugs}/a/status`, {}),
    get(`${bugs}/a/scale`),
    merge(`${bugs}/a`, { spec: { size: 2 } }),
  ),
  customResourceScript(
    "scale",
    ...defined(
      objectSchema(
        { type: "object", properties: { size: integer } },
        { status: { type: "object", properties: { size: integer, selector: string } } },
      ),
      {
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.size",
            statusReplicasPath: ".status.size",
            labelSelectorPath: ".status.selector",
          },
        },
      },
    ),
    make({ size: 2 }),
    get(`${bugs}/a/scale`),
    merge(`${bugs}/a/scale`, { spec: { replicas: 5 } }),
    merge(`${bugs}/a/status`, { status: { size: 4, selector: "app=a" } }),
    get(`${bugs}/a/scale`),
    put(`${bugs}/a/scale`, {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "a" },
      spec: { replicas: -1 },
    }),
    post(bugs, bug("b", { spec: {} })),
    get(`${bugs}/b/scale`),
    get(`${bugs}/a`),
  ),
  customResourceScript(
    "two versions without conversion",
    setup(
      post(
        paths.definitions,
        definition(
          spec({ size: integer }),
          {},
          {
            versions: ["v1", "v2"].map((name) => ({
              name,
              served: true,
              storage: name === "v1",
              schema: { openAPIV3Schema: spec({ size: integer }) },
            })),
          },
        ),
      ),
    ),
    ...whenServed,
    ...served("{{ns}}.example.io", "v2", "bugs"),
    make({ size: 1 }),
    get(`${bugs.replace("/v1/", "/v2/")}/a`),
    merge(`${bugs.replace("/v1/", "/v2/")}/a`, { spec: { size: 2 } }),
    get(`${bugs}/a`),
    get(bugs.replace("/v1/", "/v2/")),
    get("/apis/{{ns}}.example.io"),
    put(`${bugs}/a`, bug("a", { apiVersion: "{{ns}}.example.io/v2" })),
  ),
  customResourceScript(
    "a deprecated version warns",
    ...defined(spec({}), { deprecated: true }),
    make({}),
    get(bugs),
  ),
  customResourceScript(
    "a deprecated version with its own warning",
    ...defined(spec({}), { deprecated: true, deprecationWarning: "use v2, please" }),
    make({}),
  ),
  customResourceScript(
    "cluster-scoped",
    setup(post(paths.definitions, definition(spec({}), {}, { scope: "Cluster" }))),
    setup(get("/apis/{{ns}}.example.io/v1/bugs", { until: 200 })),
    setup(
      post(
        "/apis/{{ns}}.example.io/v1/bugs?dryRun=All",
        { apiVersion: "{{ns}}.example.io/v1", kind: "None" },
        { until: [400, 422] },
      ),
    ),
    post("/apis/{{ns}}.example.io/v1/bugs", bug()),
    post(bugs, bug("b")),
    get("/apis/{{ns}}.example.io/v1/bugs/a"),
  ),
  customResourceScript("reading a CRD again", ...defined(spec({ size: integer })), readDefinition()),
  customResourceScript(
    "a CRD's schema changes",
    ...defined(spec({ size: integer })),
    make({ size: 1 }),
    setup(
      jsonPatch(`${paths.definitions}/bugs.{{ns}}.example.io`, [
        {
          op: "add",
          path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/colour",
          value: string,
        },
      ]),
    ),
    setup(
      post(`${bugs}?dryRun=All&fieldValidation=Strict`, bug("probe", { spec: { colour: "red" } }), {
        until: 201,
      }),
    ),
    make({ size: 1, colour: "red" }, "b"),
  ),
  customResourceScript(
    "deleting a CRD deletes its objects",
    ...defined(spec({})),
    make({}),
    remove(`${paths.definitions}/bugs.{{ns}}.example.io`),
    setup(get(bugs, { until: 404 })),
    get(bugs),
    get("/apis/{{ns}}.example.io", { until: 404 }),
  ),
  customResourceScript(
    "printer columns",
    ...defined(
      objectSchema({
        type: "object",
        properties: {
          size: integer,
          when: string,
          on: { type: "boolean" },
          list: { type: "array", items: string },
          map: { type: "object", additionalProperties: string },
        },
      }),
      {
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          { name: "On", type: "boolean", jsonPath: ".spec.on", priority: 1 },
          { name: "List", type: "string", jsonPath: ".spec.list[0]" },
          { name: "When", type: "date", jsonPath: ".spec.when" },
          { name: "Map", type: "string", jsonPath: ".spec.map" },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
      },
    ),
    setup(
      post(
        bugs,
        bug("a", {
          spec: { size: 3, on: true, list: ["x", "y"], when: "2020-01-01T00:00:00Z", map: { a: "b" } },
        }),
      ),
    ),
    setup(post(bugs, bug("b", { spec: {} }))),
    get(bugs, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" }),
    get(`${bugs}/a`, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" }),
  ),
];
